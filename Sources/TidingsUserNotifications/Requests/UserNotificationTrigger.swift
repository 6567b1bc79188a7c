// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The time at which a notification is delivered.
///
/// Triggers fire only while the program runs, unless the request starts the program
/// (``UserNotificationRequest/startsProgram``). A request that became due while the program was
/// closed is delivered once at the next start, unless the ``UserNotificationOverduePolicy``
/// specifies otherwise.
///
/// ```swift
/// let soon = UserNotificationTrigger.after(.seconds(5))
/// let everyMorning = UserNotificationTrigger.calendar(DateComponents(hour: 9), repeats: true)
/// ```
@nonexhaustive public enum UserNotificationTrigger: Hashable, Sendable, Codable {
    /// Fires immediately.
    case now
    /// Fires after a duration of elapsed time, which includes the system's sleep.
    ///
    /// A repeating interval has to be a minute or longer.
    case after(Duration, repeats: Bool = false)
    /// Fires when clock and calendar show these components.
    ///
    /// A missing unit matches any value if a smaller unit is given, and otherwise the first value
    /// of the unit. So `minute: 30` means half past every hour, and `day: 1` means midnight. The
    /// time zone is the current one of the system, unless the components name one. Days that a
    /// month does not have are skipped. A time that the change to summer time skips becomes the
    /// first instant after the gap. A time that the change to winter time repeats is the first of
    /// the two.
    case calendar(DateComponents, repeats: Bool = false)

    /// Returns the next date at which this fires, strictly after a date, or nil for never.
    ///
    /// - Parameters:
    ///   - date: The date from which an interval counts.
    ///   - calendar: The user's calendar, with the current time zone.
    /// - Returns: The date.
    public func nextFireDate(
        after date: Date = Date(),
        in calendar: Calendar = .current
    ) -> Date? {
        switch self {
        case .now: date
        case .after(let interval, _): date.addingTimeInterval(interval / .seconds(1))
        case .calendar(let components, _):
            CalendarRule(components, in: calendar).next(after: date)
        }
    }

    /// Whether the trigger fires more than once.
    package var repeats: Bool {
        switch self {
        case .now: false
        case .after(_, let repeats), .calendar(_, let repeats): repeats
        }
    }
}
