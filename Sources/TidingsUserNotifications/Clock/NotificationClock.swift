// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a center knows of time: the clock on the wall, and how much has really passed.
///
/// A person sets the one and travels with it; the other only goes on, also while the system
/// sleeps. ``SystemNotificationClock`` is the system's; `ManualNotificationClock` of
/// `TidingsTesting` goes on when a test says so.
public protocol NotificationClock: Sendable {
    /// What the clock on the wall shows now.
    var date: Date { get }
    /// The person's calendar, with the zone where they are now.
    var calendar: Calendar { get }
    /// The real time since the beginning of the ``epoch``.
    var uptime: Duration { get }
    /// What ``uptime`` counts from, such as one start of the system; never the same again.
    var epoch: String { get }

    /// Sleeps for a real time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws

    /// Sleeps until the clock on the wall shows a date, or until a real time has passed.
    ///
    /// - Parameters:
    ///   - date: The date; nil for none. One that has passed ends the sleep at once, and so does
    ///     a clock that is set to it.
    ///   - limit: The real time after which the sleep ends in any case.
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(until date: Date?, atMost limit: Duration) async throws
}

extension NotificationClock where Self == SystemNotificationClock {
    /// The system's clock.
    public static var system: SystemNotificationClock { SystemNotificationClock() }
}
