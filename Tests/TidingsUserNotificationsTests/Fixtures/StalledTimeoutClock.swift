// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

/// A clock whose timeouts never fire.
///
/// The date and the schedule of the clock work.
struct StalledTimeoutClock: NotificationClock {
    let time: ManualNotificationClock

    var date: Date { time.date }
    var calendar: Calendar { time.calendar }
    var uptime: Duration { time.uptime }
    var epoch: String { time.epoch }

    func sleep(for duration: Duration) async throws { try await Gate().wait() }

    func sleep(until date: Date?, atMost limit: Duration) async throws {
        try await time.sleep(until: date, atMost: limit)
    }
}
