// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Requests that wait for their time, from `add` to the person.
@Suite(.timeLimit(.minutes(5)))
struct SchedulingTests {
    private func code(_ body: () async throws -> Void) async -> UserNotificationError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? UserNotificationError)?.code
        }
    }

    @Test func promise11_aRequestIsOnDiskWhenAddReturns() async throws {
        let store = InMemoryNotificationStore(.granted)
        let bench = Bench(store: store)
        let receipt = try await bench.post("tea", .after(.seconds(240)))
        #expect(await store.read().schedule.items.map(\.request.identifier) == ["tea"])
        #expect(await receipt.outcome == .scheduled(bench.clock.date.addingTimeInterval(240)))
        #expect(await bench.center.pending().map(\.id) == ["tea"])
        #expect(bench.center.delivered().isEmpty)
    }

    @Test func anIntervalFiresWhenItHasPassed() async throws {
        let bench = Bench()
        try await bench.post("tea", .after(.seconds(240)))
        bench.clock.advance(by: .seconds(240))
        try await bench.waitForDelivered(1)
        #expect(bench.center.delivered().map(\.isOverdue) == [false])
        #expect(bench.center.delivered().map(\.date) == [bench.clock.date])
        #expect(await bench.center.pending().isEmpty)
    }

    @Test func aRepeatingOneReplacesItselfAndStaysPending() async throws {
        let bench = Bench()
        try await bench.post("pulse", .after(.seconds(60), repeats: true))
        for _ in 0..<3 {
            let before = bench.center.delivered().first?.id
            bench.clock.advance(by: .seconds(60))
            while bench.center.delivered().first?.id == before {
                _ = try await bench.changes.next()
            }
        }
        #expect(bench.deliveredTitles == ["pulse"])
        #expect(await bench.center.pending().map(\.id) == ["pulse"])
    }

    @Test func promise12_aRepeatingOneGoesOnAfterTheDiskWasFull() async throws {
        let store = WatchedStore()
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let bench = Bench(backend: backend, store: store)
        let failures = MessageRecorder(NotificationStoreFailed.self, on: bench.messages)
        try await bench.post("pulse", .after(.seconds(60), repeats: true))
        bench.clock.advance(by: .seconds(60))
        _ = try await backend.calls.next()
        try await store.wait { $0.delivered.count == 1 }
        store.setFull(true)
        gate.open()
        _ = try await failures.next()
        store.setFull(false)
        let before = bench.center.delivered().first?.id
        while bench.center.delivered().first?.id == before {
            bench.clock.advance(by: .seconds(60))
            _ = try await bench.changes.next()
        }
    }

    @Test func promise13_aClockThatIsSetWakesTheSchedule() async throws {
        let bench = Bench()
        try await bench.post("evening", .calendar(DateComponents(hour: 18)))
        bench.clock.setDate(bench.clock.date.addingTimeInterval(6 * 3_600))
        try await bench.waitForDelivered(1)
    }

    @Test func promise13_anotherZoneIsNoticedWithinAMinute() async throws {
        let bench = Bench()
        // Noon at Greenwich is nine in the evening in Tokyo.
        try await bench.post("evening", .calendar(DateComponents(hour: 21, minute: 1)))
        bench.clock.setZone(try #require(TimeZone(identifier: "Asia/Tokyo")))
        bench.clock.advance(by: .seconds(60))
        try await bench.waitForDelivered(1)
    }

    @Test func promise12_whatBecameDueMeanwhileIsDeliveredOnceAndMarked() async throws {
        let (store, clock) = (WatchedStore(), ManualNotificationClock())
        let requests = [
            request("once", .after(.seconds(5))),
            request("dropped", .after(.seconds(5)), .drop),
            request("daily", .calendar(DateComponents(hour: 13), repeats: true)),
        ]
        try await store.put(requests, at: clock.moment)
        clock.advance(by: .seconds(3 * 86_400))
        let bench = Bench(store: store, clock: clock)
        bench.center.start()
        try await bench.waitForDelivered(2)
        #expect(Set(bench.deliveredTitles) == ["once", "daily"])
        #expect(bench.center.delivered().map(\.isOverdue) == [true, true])
        try await store.wait { $0.schedule.items.count == 1 && $0.schedule.items[0].claim == nil }
        let next = Bench(store: store, clock: clock)
        next.center.start()
        #expect(await next.center.pending().map(\.id) == ["daily"])
        #expect(next.backend.shown.isEmpty)
    }

    @Test func promise12_twoProcessesNeverBothFireIt() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/tidings-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (clock, backend) = (ManualNotificationClock(), ScriptedBackend())
        // Two stores on one file keep each other away as two processes do.
        let benches = [0, 1].map { _ in
            let store = FileNotificationStore(path: path + "/n.json")
            return Bench(backend: backend, store: store, clock: clock)
        }
        try await benches[0].center.setAuthorization(.granted)
        try await benches[1].center.setAuthorization(.granted)
        for number in 1...20 {
            try await benches[number % 2].post("\(number)", .after(.seconds(5)))
            clock.advance(by: .seconds(60))
            #expect(try await backend.calls.next().text == "show \(number)")
            #expect(try await backend.calls.next().text == "shown \(number)")
        }
        for bench in benches { #expect(await bench.center.pending().count <= 1) }
        #expect(backend.calls.messages.count == 40)
    }

    @Test func promise12_whatAKilledProcessWasSendingIsListedAndNotSentAgain() async throws {
        let (store, clock) = (WatchedStore(), ManualNotificationClock())
        let requests = [
            request("once", .after(.seconds(5))),
            request("again", .after(.seconds(5)), .deliverAgain),
        ]
        try await store.put(requests, at: clock.moment)
        clock.advance(by: .seconds(5))
        let moment = clock.moment
        _ = try await store.update { record in
            record.schedule.claim(for: "1-never-killed", at: moment, isStart: false).count
        }
        let bench = Bench(store: store, clock: clock)
        bench.center.start()
        try await bench.waitForDelivered(2)
        try await store.wait { $0.schedule.items.isEmpty }
        #expect(bench.shownTitles == ["again"])
        #expect(bench.center.delivered().map(\.isOverdue) == [true, true])
        let listed = bench.center.delivered().filter { $0.presentation.isEmpty }
        #expect(listed.map(\.identifier) == ["once"])
        #expect(await bench.center.pending().isEmpty)
    }

    @Test func promise14_theSixtyFifthIsRefused() async throws {
        let bench = Bench()
        for number in 0..<64 { try await bench.post("\(number)", .after(.seconds(99))) }
        #expect(await code { try await bench.post("64", .after(.seconds(99))) } == .pendingLimit)
        #expect(await bench.center.pending().count == 64)
        try await bench.post("7", .after(.seconds(99)))
        _ = try await bench.add("64", "now")
        #expect(await bench.center.pending().count == 64)
    }

    @Test func promise4_onePostedNowReplacesOneThatWaits() async throws {
        let bench = Bench()
        try await bench.post("1", .after(.seconds(5)))
        _ = try await bench.add("1", "now")
        #expect(await bench.center.pending().isEmpty)
        #expect(bench.deliveredTitles == ["now"])
    }

    @Test func promise4_oneThatWaitsReplacesADeliveredOneWhenItFires() async throws {
        let bench = Bench()
        _ = try await bench.add("1", "now")
        try await bench.post("1", .after(.seconds(5)))
        #expect(bench.deliveredTitles == ["now"])
        bench.clock.advance(by: .seconds(5))
        while bench.deliveredTitles == ["now"] { _ = try await bench.changes.next() }
        #expect(bench.deliveredTitles == ["1"])
    }

    @Test func whatIsRemovedDoesNotFire() async throws {
        let store = InMemoryNotificationStore(.granted)
        let bench = Bench(store: store)
        for identifier in ["a", "b", "c", "d"] {
            try await bench.post(identifier, .after(.seconds(5)))
        }
        try await bench.center.removePending(["a", "unknown"])
        #expect(await store.read().schedule.identifiers == ["b", "c", "d"])
        bench.center.remove(["b"])
        // Before the store knows of it.
        bench.clock.advance(by: .seconds(5))
        try await bench.waitForDelivered(2)
        #expect(await bench.center.pending().isEmpty)
        #expect(Set(bench.deliveredTitles) == ["c", "d"])
    }

    @Test func everythingCanBeRemoved() async throws {
        let bench = Bench()
        _ = try await bench.add("now")
        try await bench.post("later", .after(.seconds(5)))
        bench.center.removeAll()
        #expect(await bench.center.pending().isEmpty)
        #expect(bench.center.delivered().isEmpty)
        try await bench.post("later", .after(.seconds(5)))
        try await bench.center.removeAllPending()
        #expect(await bench.center.pending().isEmpty)
    }

    @Test func whatIsNotWantedAnyMoreIsNotSent() async throws {
        let store = WatchedStore()
        let bench = Bench(store: store)
        try await bench.post("1", .after(.seconds(5)))
        try await bench.center.setAuthorization(.denied)
        bench.clock.advance(by: .seconds(5))
        try await store.wait { $0.schedule.items.isEmpty && $0.authorization == .denied }
        #expect(bench.backend.shown.isEmpty && bench.center.delivered().isEmpty)
    }

    @Test func promise11_whatCannotBeKeptIsRefusedAndChangesNothing() async throws {
        let store = WatchedStore()
        let bench = Bench(store: store)
        try await bench.post("1", .after(.seconds(5)))
        store.setFull(true)
        #expect(await code { try await bench.post("2", .after(.seconds(5))) } == .storeFailed)
        #expect(await bench.center.pending().map(\.id) == ["1"])
        // What is shown now needs no disk.
        #expect(try await bench.add("3") == .accepted())
    }

    @Test func anInvalidTriggerIsRefused() async throws {
        let bench = Bench()
        let triggers: [NotificationTrigger] = [
            .after(.seconds(59), repeats: true), .calendar(DateComponents()),
            .calendar(DateComponents(year: 2001)),
        ]
        for trigger in triggers {
            #expect(await code { try await bench.post("1", trigger) } == .invalidTrigger)
        }
        #expect(await bench.center.pending().isEmpty)
    }
}
