// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// The record of a run that was killed while it sent a request.
@Suite(.timeLimit(.minutes(15)))
struct RecoveryTests {
    private let store = ScriptedStore()
    private let clock = ManualNotificationClock()

    /// Stores a repeating request that was shown once and was being sent again.
    private func storeKilledRun(secondTimeIsListed: Bool) async throws {
        let request = UserNotificationRequest(
            identifier: "pulse",
            content: .init(title: "pulse"),
            trigger: .after(.seconds(60), repeats: true)
        )
        try await store.schedule([request], at: clock.moment)
        clock.advance(by: .seconds(60))
        let first = clock.date
        clock.advance(by: .seconds(60))
        let moment = clock.moment
        try await store.update { record in
            _ = record.schedule.claim(for: "1-never-killed", at: moment, isStart: false)
            record.runs = 1
            let notification = UserNotification(
                id: .init(identifier: "pulse", number: 7),
                content: request.content,
                date: secondTimeIsListed ? moment.date : first
            )
            record.delivered = [
                DeliveredNotification(
                    notification: notification,
                    isShown: true,
                    owner: "1-never-killed",
                    scheduleNumber: 0
                )
            ]
        }
        clock.advance(by: .seconds(9))
    }

    @Test(arguments: [true, false])
    func n12_aRepeatingRequestIsListedAsOverdueOnceAndContinues(_ isListed: Bool) async throws {
        try await storeKilledRun(secondTimeIsListed: isListed)
        let fixture = CenterFixture(store: store, clock: clock)
        fixture.center.start()
        while fixture.center.delivered().first?.isOverdue != true {
            _ = try await fixture.changes.next()
        }
        #expect(fixture.deliveredTitles == ["pulse"])
        let date = fixture.center.delivered().first?.date
        #expect(date == (isListed ? clock.date.addingTimeInterval(-9) : clock.date))
        #expect(fixture.backend.shown.isEmpty)
        await fixture.center.flush()
        #expect(try await store.read().delivered.map(\.notification.isOverdue) == [true])
        try await clock.waitForSchedules()
        clock.advance(by: .seconds(51))
        // The list changes before the notification is shown, and the store changes after that.
        while fixture.backend.shown.isEmpty { _ = try await store.changes.next() }
        #expect(fixture.center.delivered().map(\.isOverdue) == [false])
    }

    @Test func n12_requestsOfThisRunAreNotMissed() throws {
        var schedule = NotificationSchedule()
        for (number, identifier) in [(1, "missed"), (10, "mine")] {
            let request = UserNotificationRequest(
                identifier: identifier,
                content: .init(title: ""),
                trigger: .after(.zero),
                ifOverdue: .drop
            )
            _ = try schedule.add(request, number: number, at: clock.moment)
        }
        clock.advance(by: .seconds(1))
        let due = schedule.claim(for: "me", at: clock.moment, isStart: true, ownFrom: 10)
        #expect(due.map(\.request.identifier) == ["mine"])
        #expect(due.map(\.isOverdue) == [false])
    }
}
