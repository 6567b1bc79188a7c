// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The wall clock of the machine and its time zone; tests replace both.
package struct LocalTime: Sendable {
    /// Returns the present time.
    package var now: @Sendable () -> Date
    /// Returns the present time zone.
    package var zone: @Sendable () -> TimeZone

    /// Creates a wall clock; the defaults are those of the machine.
    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        zone: @escaping @Sendable () -> TimeZone = { .autoupdatingCurrent }
    ) {
        self.now = now
        self.zone = zone
    }
}
