// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The wall clock and the time zone of the machine, which tests replace.
package struct LocalTime: Sendable {
    /// Returns the present time.
    package var now: @Sendable () -> Date
    /// Returns the present time zone.
    package var zone: @Sendable () -> TimeZone

    /// Creates a wall clock, with the machine's clock and time zone as defaults.
    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        zone: @escaping @Sendable () -> TimeZone = { .autoupdatingCurrent }
    ) {
        self.now = now
        self.zone = zone
    }
}
