// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Backends that return a result after the receipt has timed out.
@Suite(.timeLimit(.minutes(15)))
struct LateResultTests {
    private let store = ScriptedStore()
    private let answer = Gate()

    /// Returns a center whose backend has not returned from `show` before the timeout.
    private func lateFixture(
        _ result: NotificationBackendResult = .accepted(handle: NotificationHandle("bus 7"))
    ) async throws -> (fixture: CenterFixture, backend: ScriptedBackend, id: NotificationDelivery) {
        let backend = ScriptedBackend(result, gate: answer)
        let fixture = CenterFixture(backend: backend, store: store)
        let receipt = try await fixture.post("1", "hello")
        #expect(try await backend.calls.next().text == "show hello")
        try await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(5))
        #expect(await receipt.outcome == .timedOut)
        #expect(fixture.deliveredTitles == ["hello"])
        return (fixture, backend, try #require(fixture.center.delivered().first?.id))
    }

    @Test func n5_aLateResultIsListedAndATapIsPosted() async throws {
        let (fixture, backend, id) = try await lateFixture()
        answer.open()
        try await store.wait { $0.delivered.map(\.handle?.text) == ["bus 7"] }
        #expect(fixture.center.delivered().map(\.id) == [id])
        backend.send(.responded(id, .open))
        #expect(fixture.responses.messages.map(\.notification.id) == [id])
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
        await fixture.center.flush()
        #expect(try await store.read().delivered.isEmpty)
    }

    @Test func n5_aTapBeforeTheLateResultIsPostedOnceAndCloses() async throws {
        let (fixture, backend, id) = try await lateFixture()
        backend.send(.responded(id, .open))
        #expect(fixture.responses.messages.map(\.notification.id) == [id])
        answer.open()
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
        backend.send(.responded(id, .open))
        #expect(fixture.responses.messages.count == 1)
        await fixture.center.flush()
        #expect(try await store.read().delivered.isEmpty)
    }

    @Test(arguments: [NotificationBackendResult.refused("no"), .unavailable("gone")])
    func n5_aLateRefusalIsListedAndPostsNoClose(
        _ result: NotificationBackendResult
    ) async throws {
        let (fixture, backend, id) = try await lateFixture(result)
        answer.open()
        // The queue of this identifier is free again.
        _ = try await fixture.add("1", "next")
        #expect(fixture.deliveredTitles == ["next"])
        backend.send(.closed(id, .expired))
        let next = try #require(fixture.center.delivered().first?.id)
        backend.send(.closed(next, .expired))
        #expect(fixture.closes.messages.isEmpty)
    }

    @Test func n4_aRequestAfterTheTimeoutReplacesTheLateOne() async throws {
        let (fixture, backend, id) = try await lateFixture()
        let next = try await fixture.post("1", "next")
        answer.open()
        #expect(await next.outcome == .accepted())
        let calls = try await backend.calls.first(4).map(\.text)
        #expect(calls == ["show hello", "shown hello", "show next", "shown next"])
        backend.send(.responded(id, .open))
        #expect(fixture.responses.messages.isEmpty)
        #expect(fixture.deliveredTitles == ["next"])
    }

    @Test func n5_aRemovalDuringTheWaitClosesAfterwards() async throws {
        let (fixture, backend, _) = try await lateFixture()
        fixture.center.remove(["1"])
        answer.open()
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
        await fixture.center.flush()
        #expect(fixture.center.delivered().isEmpty)
        #expect(try await store.read().delivered.isEmpty)
    }

    @Test func n12_aLateResultDoesNotSendADueRequestAgain() async throws {
        let result = NotificationBackendResult.accepted(handle: NotificationHandle("bus 7"))
        let backend = ScriptedBackend(result, gate: answer)
        let fixture = CenterFixture(backend: backend, store: store)
        try await fixture.post("1", .after(.seconds(9)), .deliverAgain)
        try await fixture.clock.waitForSchedules()
        fixture.clock.advance(by: .seconds(9))
        #expect(try await backend.calls.next().text == "show 1")
        try await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(5))
        try await store.wait { $0.schedule.items.isEmpty && $0.delivered.count == 1 }
        answer.open()
        try await store.wait { $0.delivered.map(\.handle?.text) == ["bus 7"] }
        fixture.clock.advance(by: .seconds(60))
        await fixture.center.flush()
        #expect(backend.calls.messages.map(\.text) == ["show 1", "shown 1"])
        #expect(fixture.center.delivered().map(\.isOverdue) == [false])
    }
}
