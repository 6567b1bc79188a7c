// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A point in time, as a clock on the wall shows it and as it has really passed.
package struct NotificationMoment: Sendable {
    package var date: Date
    package var calendar: Calendar
    /// The real time since the beginning of the epoch.
    package var uptime: Duration
    /// What `uptime` counts from, such as one start of the system.
    package var epoch: String

    package init(date: Date, calendar: Calendar, uptime: Duration, epoch: String) {
        self.date = date
        self.calendar = calendar
        self.uptime = uptime
        self.epoch = epoch
    }
}

extension NotificationClock {
    package var moment: NotificationMoment {
        NotificationMoment(date: date, calendar: calendar, uptime: uptime, epoch: epoch)
    }
}
