// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Scheduled requests, from `add` to the display.
@Suite(.timeLimit(.minutes(15)))
struct SchedulingTests {
    private func code(_ body: () async throws -> Void) async -> UserNotificationError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? UserNotificationError)?.code
        }
    }

    @Test func n11_aRequestIsOnDiskWhenAddReturns() async throws {
        let store = InMemoryNotificationStore(.granted)
        let fixture = CenterFixture(store: store)
        let receipt = try await fixture.post("tea", .after(.seconds(240)))
        #expect(await store.read().schedule.items.map(\.request.identifier) == ["tea"])
        #expect(await receipt.outcome == .scheduled(fixture.clock.date.addingTimeInterval(240)))
        #expect(await fixture.center.pending().map(\.request.identifier) == ["tea"])
        #expect(fixture.center.delivered().isEmpty)
    }

    @Test func anIntervalFiresWhenItEnds() async throws {
        let fixture = CenterFixture()
        try await fixture.post("tea", .after(.seconds(240)))
        fixture.clock.advance(by: .seconds(240))
        try await fixture.waitForDelivered(1)
        #expect(fixture.center.delivered().map(\.isOverdue) == [false])
        #expect(fixture.center.delivered().map(\.date) == [fixture.clock.date])
        #expect(await fixture.center.pending().isEmpty)
    }

    @Test func aRepeatingRequestReplacesItselfAndStaysPending() async throws {
        let fixture = CenterFixture()
        try await fixture.post("pulse", .after(.seconds(60), repeats: true))
        for _ in 0..<3 {
            let before = fixture.center.delivered().first?.id
            fixture.clock.advance(by: .seconds(60))
            while fixture.center.delivered().first?.id == before {
                _ = try await fixture.changes.next()
            }
        }
        #expect(fixture.deliveredTitles == ["pulse"])
        #expect(await fixture.center.pending().map(\.request.identifier) == ["pulse"])
    }

    @Test func n12_aRepeatingRequestContinuesAfterAFullDisk() async throws {
        let store = ScriptedStore()
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let fixture = CenterFixture(backend: backend, store: store)
        let failures = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        try await fixture.post("pulse", .after(.seconds(60), repeats: true))
        fixture.clock.advance(by: .seconds(60))
        _ = try await backend.calls.next()
        try await store.wait { $0.delivered.count == 1 }
        store.setFull(true)
        gate.open()
        _ = try await failures.next()
        store.setFull(false)
        let before = fixture.center.delivered().first?.id
        while fixture.center.delivered().first?.id == before {
            fixture.clock.advance(by: .seconds(60))
            _ = try await fixture.changes.next()
        }
    }

    @Test func n20_anIntervalCountsElapsedTimeWhenTheClockIsSetBack() async throws {
        let (store, clock) = (ScriptedStore(), ManualNotificationClock())
        try await store.schedule([request("tea", .after(.seconds(30)))], at: clock.moment)
        let fixture = CenterFixture(store: store, clock: clock)
        fixture.center.start()
        try await clock.waitForSchedules()
        clock.setDate(clock.date.addingTimeInterval(-3_600))
        clock.advance(by: .seconds(30))
        try await fixture.waitForDelivered(1)
        #expect(fixture.center.delivered().map(\.isOverdue) == [false])
    }

    @Test func n20_aRequestOfASenderThatEndedIsTakenOverWithinASecond() async throws {
        let (store, clock) = (ScriptedStore(), ManualNotificationClock())
        let sender = RunRegistry.register()
        try await store.schedule([request("tea", .after(.zero))], at: clock.moment)
        let moment = clock.moment
        try await store.update { record in
            _ = record.schedule.claim(for: sender, at: moment, isStart: false)
        }
        let fixture = CenterFixture(store: store, clock: clock)
        fixture.center.start()
        try await clock.waitForSchedules()
        #expect(fixture.center.delivered().isEmpty)
        RunRegistry.unregister(sender)
        clock.advance(by: .seconds(1))
        try await fixture.waitForDelivered(1)
        #expect(fixture.center.delivered().map(\.isOverdue) == [true])
    }

    @Test func n4_aRemovalThatCannotBeStoredIsStoredLater() async throws {
        let store = ScriptedStore()
        let fixture = CenterFixture(store: store)
        let failures = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        for identifier in ["tea", "egg"] {
            try await fixture.post(identifier, .after(.seconds(240)))
        }
        store.setFull(true)
        fixture.center.removeAll()
        _ = try await failures.next()
        store.setFull(false)
        // A later request is not among the removed requests.
        try await fixture.post("egg", .after(.seconds(240)))
        fixture.clock.advance(by: .seconds(60))
        try await store.wait { $0.schedule.items.map(\.request.identifier) == ["egg"] }
        fixture.clock.advance(by: .seconds(180))
        try await fixture.waitForDelivered(1)
        #expect(fixture.deliveredTitles == ["egg"])
    }

    @Test func n24_theBackendLearnsWhenTheProgramHasToStart() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        let begin = Int(fixture.clock.date.timeIntervalSince1970)
        let receipt = try await fixture.center.add(
            request("tea", .after(.seconds(240)), startsProgram: true)
        )
        #expect(await receipt.outcome == .scheduled(fixture.clock.date.addingTimeInterval(240)))
        #expect(try await backend.calls.next().text == "start \(begin + 240)")
        _ = try await fixture.center.add(
            request("egg", .after(.seconds(180)), startsProgram: true)
        )
        #expect(try await backend.calls.next().text == "start \(begin + 180)")
        try await fixture.center.removePending(["egg"])
        #expect(try await backend.calls.next().text == "start \(begin + 240)")
        fixture.center.remove(["tea"])
        #expect(try await backend.calls.next().text == "start never")
    }

    @Test func n24_aBackendThatStartsNoProgramIsNamed() async throws {
        let backend = ScriptedBackend(features: .all.subtracting(.programStart))
        let fixture = CenterFixture(backend: backend)
        let date = fixture.clock.date.addingTimeInterval(240)
        for (startsProgram, degraded) in [(true, [.programStart]), (false, [])]
            as [(Bool, UserNotificationFeatures)]
        {
            let receipt = try await fixture.center.add(
                request("tea", .after(.seconds(240)), startsProgram: startsProgram)
            )
            #expect(await receipt.outcome == .scheduled(date, degraded: degraded))
        }
    }

    @Test func n13_settingTheClockWakesTheScheduler() async throws {
        let fixture = CenterFixture()
        try await fixture.post("evening", .calendar(DateComponents(hour: 18)))
        fixture.clock.setDate(fixture.clock.date.addingTimeInterval(6 * 3_600))
        try await fixture.waitForDelivered(1)
    }

    @Test func n13_anotherZoneIsNoticedWithinAMinute() async throws {
        let (store, clock) = (ScriptedStore(), ManualNotificationClock())
        // Noon in UTC is nine in the evening in Tokyo.
        let evening = request("evening", .calendar(DateComponents(hour: 21, minute: 1)))
        // The request is stored before the start, because a later request would wake the scheduler
        // again. That pass may read the clock before the zone changes and start to sleep after the
        // minute.
        try await store.schedule([evening], at: clock.moment)
        let fixture = CenterFixture(store: store, clock: clock)
        fixture.center.start()
        try await clock.waitForSchedules()
        clock.setZone(try #require(TimeZone(identifier: "Asia/Tokyo")))
        clock.advance(by: .seconds(60))
        try await fixture.waitForDelivered(1)
    }

    @Test func n12_missedRequestsAreDeliveredOnceAndMarked() async throws {
        let (store, clock) = (ScriptedStore(), ManualNotificationClock())
        let requests = [
            request("once", .after(.seconds(5))),
            request("dropped", .after(.seconds(5)), .drop),
            request("daily", .calendar(DateComponents(hour: 13), repeats: true)),
        ]
        try await store.schedule(requests, at: clock.moment)
        clock.advance(by: .seconds(3 * 86_400))
        let fixture = CenterFixture(store: store, clock: clock)
        fixture.center.start()
        try await fixture.waitForDelivered(2)
        #expect(Set(fixture.deliveredTitles) == ["once", "daily"])
        #expect(fixture.center.delivered().map(\.isOverdue) == [true, true])
        try await store.wait { $0.schedule.items.count == 1 && $0.schedule.items[0].claim == nil }
        let next = CenterFixture(store: store, clock: clock)
        next.center.start()
        #expect(await next.center.pending().map(\.request.identifier) == ["daily"])
        #expect(next.backend.shown.isEmpty)
    }

    @Test func n12_twoProcessesNeverFireTheSameRequest() async throws {
        let folder = try TestFolder()
        let (clock, backend) = (ManualNotificationClock(), ScriptedBackend())
        // Two stores on one file exclude each other as two processes do.
        let fixtures = [0, 1].map { _ in
            CenterFixture(backend: backend, store: folder.store, clock: clock)
        }
        try await fixtures[0].center.setAuthorization(.granted)
        try await fixtures[1].center.setAuthorization(.granted)
        for number in 1...20 {
            try await fixtures[number % 2].post("\(number)", .after(.seconds(5)))
            clock.advance(by: .seconds(60))
            #expect(try await backend.calls.next().text == "show \(number)")
            #expect(try await backend.calls.next().text == "shown \(number)")
        }
        for fixture in fixtures { #expect(await fixture.center.pending().count <= 1) }
        #expect(backend.calls.messages.count == 40)
    }

    @Test func n12_requestsOfAKilledProcessAreListedAndNotSentAgain() async throws {
        let (store, clock) = (ScriptedStore(), ManualNotificationClock())
        let requests = [
            request("once", .after(.seconds(5))),
            request("again", .after(.seconds(5)), .deliverAgain),
        ]
        try await store.schedule(requests, at: clock.moment)
        clock.advance(by: .seconds(5))
        let moment = clock.moment
        _ = try await store.update { record in
            record.schedule.claim(for: "1-never-killed", at: moment, isStart: false).count
        }
        let fixture = CenterFixture(store: store, clock: clock)
        fixture.center.start()
        try await fixture.waitForDelivered(2)
        try await store.wait { $0.schedule.items.isEmpty }
        #expect(fixture.shownTitles == ["again"])
        #expect(fixture.center.delivered().map(\.isOverdue) == [true, true])
        let listed = fixture.center.delivered().filter { $0.presentation.isEmpty }
        #expect(listed.map(\.identifier) == ["once"])
        #expect(await fixture.center.pending().isEmpty)
    }

    @Test func n14_theSixtyFifthRequestIsRefused() async throws {
        let fixture = CenterFixture()
        for number in 0..<64 { try await fixture.post("\(number)", .after(.seconds(99))) }
        #expect(await code { try await fixture.post("64", .after(.seconds(99))) } == .pendingLimit)
        #expect(await fixture.center.pending().count == 64)
        try await fixture.post("7", .after(.seconds(99)))
        _ = try await fixture.add("64", "now")
        #expect(await fixture.center.pending().count == 64)
    }

    @Test func n4_aRequestForNowReplacesAPendingOne() async throws {
        let fixture = CenterFixture()
        try await fixture.post("1", .after(.seconds(5)))
        _ = try await fixture.add("1", "now")
        #expect(await fixture.center.pending().isEmpty)
        #expect(fixture.deliveredTitles == ["now"])
    }

    @Test func n4_aPendingRequestReplacesADeliveredOneWhenItFires() async throws {
        let fixture = CenterFixture()
        _ = try await fixture.add("1", "now")
        try await fixture.post("1", .after(.seconds(5)))
        #expect(fixture.deliveredTitles == ["now"])
        fixture.clock.advance(by: .seconds(5))
        while fixture.deliveredTitles == ["now"] { _ = try await fixture.changes.next() }
        #expect(fixture.deliveredTitles == ["1"])
    }

    @Test func aRemovedRequestDoesNotFire() async throws {
        let store = InMemoryNotificationStore(.granted)
        let fixture = CenterFixture(store: store)
        for identifier in ["a", "b", "c", "d"] {
            try await fixture.post(identifier, .after(.seconds(5)))
        }
        try await fixture.center.removePending(["a", "unknown"])
        #expect(await store.read().schedule.identifiers == ["b", "c", "d"])
        fixture.center.remove(["b"])
        // The clock advances before the store has the change.
        fixture.clock.advance(by: .seconds(5))
        try await fixture.waitForDelivered(2)
        #expect(await fixture.center.pending().isEmpty)
        #expect(Set(fixture.deliveredTitles) == ["c", "d"])
    }

    @Test func everythingCanBeRemoved() async throws {
        let fixture = CenterFixture()
        _ = try await fixture.add("now")
        try await fixture.post("later", .after(.seconds(5)))
        fixture.center.removeAll()
        #expect(await fixture.center.pending().isEmpty)
        #expect(fixture.center.delivered().isEmpty)
        try await fixture.post("later", .after(.seconds(5)))
        try await fixture.center.removePending()
        #expect(await fixture.center.pending().isEmpty)
    }

    @Test func aDeniedRequestIsNotSent() async throws {
        let store = ScriptedStore()
        let fixture = CenterFixture(store: store)
        try await fixture.post("1", .after(.seconds(5)))
        try await fixture.center.setAuthorization(.denied)
        fixture.clock.advance(by: .seconds(5))
        try await store.wait { $0.schedule.items.isEmpty && $0.authorization == .denied }
        #expect(fixture.backend.shown.isEmpty && fixture.center.delivered().isEmpty)
    }

    @Test func n11_aRequestThatCannotBeStoredIsRefused() async throws {
        let store = ScriptedStore()
        let fixture = CenterFixture(store: store)
        try await fixture.post("1", .after(.seconds(5)))
        store.setFull(true)
        #expect(await code { try await fixture.post("2", .after(.seconds(5))) } == .storeFailed)
        #expect(await fixture.center.pending().map(\.request.identifier) == ["1"])
        // A request for now needs no disk.
        #expect(try await fixture.add("3") == .accepted())
    }

    @Test func anInvalidTriggerIsRefused() async throws {
        let fixture = CenterFixture()
        let triggers: [UserNotificationTrigger] = [
            .after(.seconds(59), repeats: true), .calendar(DateComponents()),
            .calendar(DateComponents(year: 2001)),
        ]
        for trigger in triggers {
            #expect(await code { try await fixture.post("1", trigger) } == .invalidTrigger)
        }
        #expect(await fixture.center.pending().isEmpty)
    }
}
