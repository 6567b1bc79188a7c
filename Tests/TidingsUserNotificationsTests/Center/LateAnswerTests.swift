// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// Whoever shows notifications answers when the receipt has said that the time is over.
@Suite(.timeLimit(.minutes(5)))
struct LateAnswerTests {
    private let store = WatchedStore()
    private let answer = Gate()

    /// A notification that is shown and not answered for.
    private func late(
        _ result: NotificationBackendResult = .accepted(handle: NotificationHandle("bus 7"))
    ) async throws -> (bench: Bench, backend: ScriptedBackend, id: NotificationDelivery) {
        let backend = ScriptedBackend(result, gate: answer)
        let bench = Bench(backend: backend, store: store)
        let receipt = try await bench.post("1", "hello")
        #expect(try await backend.calls.next().text == "show hello")
        try await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(5))
        #expect(await receipt.outcome == .timedOut)
        #expect(bench.deliveredTitles == ["hello"])
        return (bench, backend, try #require(bench.center.delivered().first?.id))
    }

    @Test func promise5_aLateAnswerIsListedAndATapIsHeard() async throws {
        let (bench, backend, id) = try await late()
        answer.open()
        try await store.wait { $0.delivered.map(\.handle?.text) == ["bus 7"] }
        #expect(bench.center.delivered().map(\.id) == [id])
        backend.tell(.responded(id, .open))
        #expect(bench.responses.messages.map(\.notification.id) == [id])
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
        await bench.center.flush()
        #expect(try await store.read().delivered.isEmpty)
    }

    @Test func promise5_aTapBeforeTheLateAnswerIsHeardOnceAndClosesIt() async throws {
        let (bench, backend, id) = try await late()
        backend.tell(.responded(id, .open))
        #expect(bench.responses.messages.map(\.notification.id) == [id])
        answer.open()
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
        backend.tell(.responded(id, .open))
        #expect(bench.responses.messages.count == 1)
        await bench.center.flush()
        #expect(try await store.read().delivered.isEmpty)
    }

    @Test(arguments: [NotificationBackendResult.refused("no"), .unavailable("gone")])
    func promise5_aLateRefusalIsListedAndHasNoEnd(_ result: NotificationBackendResult) async throws
    {
        let (bench, backend, id) = try await late(result)
        answer.open()
        // The line of this identifier is free again.
        _ = try await bench.add("1", "next")
        #expect(bench.deliveredTitles == ["next"])
        backend.tell(.closed(id, .expired))
        let next = try #require(bench.center.delivered().first?.id)
        backend.tell(.closed(next, .expired))
        #expect(bench.closes.messages.isEmpty)
    }

    @Test func promise4_whatComesDuringTheWaitTakesItsPlace() async throws {
        let (bench, backend, id) = try await late()
        let next = try await bench.post("1", "next")
        answer.open()
        #expect(await next.outcome == .accepted())
        let calls = try await backend.calls.first(4).map(\.text)
        #expect(calls == ["show hello", "shown hello", "show next", "shown next"])
        backend.tell(.responded(id, .open))
        #expect(bench.responses.messages.isEmpty)
        #expect(bench.deliveredTitles == ["next"])
    }

    @Test func promise5_whatIsRemovedDuringTheWaitIsClosedAfterIt() async throws {
        let (bench, backend, _) = try await late()
        bench.center.remove(["1"])
        answer.open()
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
        await bench.center.flush()
        #expect(bench.center.delivered().isEmpty)
        #expect(try await store.read().delivered.isEmpty)
    }

    @Test func promise12_whatWasDueAndIsAnsweredLateIsNotSentAgain() async throws {
        let result = NotificationBackendResult.accepted(handle: NotificationHandle("bus 7"))
        let backend = ScriptedBackend(result, gate: answer)
        let bench = Bench(backend: backend, store: store)
        try await bench.post("1", .after(.seconds(9)), .deliverAgain)
        try await bench.clock.waitForSchedules()
        bench.clock.advance(by: .seconds(9))
        #expect(try await backend.calls.next().text == "show 1")
        try await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(5))
        try await store.wait { $0.schedule.items.isEmpty && $0.delivered.count == 1 }
        answer.open()
        try await store.wait { $0.delivered.map(\.handle?.text) == ["bus 7"] }
        bench.clock.advance(by: .seconds(60))
        await bench.center.flush()
        #expect(backend.calls.messages.map(\.text) == ["show 1", "shown 1"])
        #expect(bench.center.delivered().map(\.isOverdue) == [false])
    }
}
