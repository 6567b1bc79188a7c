// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A point in time, on the wall clock and in elapsed time.
package struct NotificationMoment: Sendable {
    /// The date on the wall clock.
    package var date: Date
    /// The user's calendar, with the time zone at that moment.
    package var calendar: Calendar
    /// The elapsed time since the beginning of the epoch.
    package var uptime: Duration
    /// A unique name for the origin of `uptime`, for example one system start.
    package var epoch: String

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - date: The date on the wall clock.
    ///   - calendar: The user's calendar, with the time zone at that moment.
    ///   - uptime: The elapsed time since the beginning of the epoch.
    ///   - epoch: A unique name for the origin of `uptime`.
    package init(date: Date, calendar: Calendar, uptime: Duration, epoch: String) {
        self.date = date
        self.calendar = calendar
        self.uptime = uptime
        self.epoch = epoch
    }
}

extension NotificationClock {
    /// The current moment of this clock.
    package var moment: NotificationMoment {
        NotificationMoment(date: date, calendar: calendar, uptime: uptime, epoch: epoch)
    }
}
