// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsTesting

@testable import TidingsUserNotifications

/// What a run that ended while it was sending has left.
@Suite(.timeLimit(.minutes(5)))
struct RecoveryTests {
    private let store = WatchedStore()
    private let clock = ManualNotificationClock()

    /// Something that repeats, was seen once, and was being sent again.
    private func leave(secondTimeIsListed: Bool) async throws {
        let request = UserNotificationRequest(
            identifier: "pulse",
            content: .init(title: "pulse"),
            trigger: .after(.seconds(60), repeats: true)
        )
        try await store.put([request], at: clock.moment)
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
    func promise12_whatRepeatsIsListedAsOverdueOnceAndGoesOn(_ isListed: Bool) async throws {
        try await leave(secondTimeIsListed: isListed)
        let bench = Bench(store: store, clock: clock)
        bench.center.start()
        while bench.center.delivered().first?.isOverdue != true {
            _ = try await bench.changes.next()
        }
        #expect(bench.deliveredTitles == ["pulse"])
        let date = bench.center.delivered().first?.date
        #expect(date == (isListed ? clock.date.addingTimeInterval(-9) : clock.date))
        #expect(bench.backend.shown.isEmpty)
        await bench.center.flush()
        #expect(try await store.read().delivered.map(\.notification.isOverdue) == [true])
        try await clock.waitForSchedules()
        clock.advance(by: .seconds(51))
        while bench.backend.shown.isEmpty { _ = try await bench.changes.next() }
        #expect(bench.center.delivered().map(\.isOverdue) == [false])
    }

    @Test func promise12_whatTheRunItselfHasAddedWasNotMissed() throws {
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
