// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The wall clock and the elapsed time that a center uses.
///
/// A user can set the wall clock and change the time zone. The elapsed time only grows, also while
/// the system sleeps. ``SystemNotificationClock`` is the system's clock. Only a test moves
/// `ManualNotificationClock` of `TidingsUserNotificationsTesting`.
package protocol NotificationClock: Sendable {
    /// The current date on the wall clock.
    var date: Date { get }
    /// The user's calendar, with the current time zone.
    var calendar: Calendar { get }
    /// The elapsed time since the beginning of the ``epoch``.
    var uptime: Duration { get }
    /// A unique name for the origin of ``uptime``, for example one system start.
    var epoch: String { get }

    /// Sleeps for a duration of elapsed time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(for duration: Duration) async throws

    /// Sleeps until the wall clock reaches a date, or until a duration has elapsed.
    ///
    /// - Parameters:
    ///   - date: The date, or nil for none. A past date ends the sleep immediately. Setting the
    ///     clock to or past the date ends the sleep as well.
    ///   - limit: The elapsed time after which the sleep ends in any case.
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(until date: Date?, atMost limit: Duration) async throws
}

extension NotificationClock where Self == SystemNotificationClock {
    /// The system's clock.
    package static var system: SystemNotificationClock { SystemNotificationClock() }
}
