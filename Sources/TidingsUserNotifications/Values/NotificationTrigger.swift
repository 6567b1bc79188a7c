// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// When a notification is delivered.
///
/// Triggers fire only while the program runs. What became due meanwhile is delivered once at the
/// next start, unless its ``OverduePolicy`` says otherwise.
///
/// ```swift
/// let soon = NotificationTrigger.after(.seconds(5))
/// let everyMorning = NotificationTrigger.calendar(DateComponents(hour: 9), repeats: true)
/// ```
@nonexhaustive public enum NotificationTrigger: Hashable, Sendable, Codable {
    /// At once.
    case now
    /// After this much real time, in which the system may sleep and its clock may be set.
    ///
    /// One that repeats takes a minute at least.
    case after(Duration, repeats: Bool = false)
    /// When clock and calendar show this.
    ///
    /// A unit that is not given is any, if a smaller one is given, and else its first. So
    /// `minute: 30` means every half hour past, and `day: 1` means midnight. The zone is the one
    /// where the system is, unless the components name one. A day that a month does not have is
    /// left out. A time that the change to summer skips is the first instant after the gap; one
    /// that the change to winter repeats is the first of the two.
    case calendar(DateComponents, repeats: Bool = false)

    /// Returns when this fires next, strictly after a date; nil for never.
    ///
    /// - Parameters:
    ///   - date: The date from which an interval counts.
    ///   - calendar: The calendar of the person, with the zone where they are.
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

    /// Whether it fires more than once.
    public var repeats: Bool {
        switch self {
        case .now: false
        case .after(_, let repeats), .calendar(_, let repeats): repeats
        }
    }
}
