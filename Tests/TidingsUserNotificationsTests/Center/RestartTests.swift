// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// What an earlier run has left.
@Suite(.timeLimit(.minutes(5)))
struct RestartTests {
    private func entry(
        _ identifier: String,
        _ number: Int,
        handle: String? = "h",
        owner: String = "1-never-killed"
    ) -> DeliveredNotification {
        DeliveredNotification(
            notification: UserNotification(
                id: .init(identifier: identifier, number: number),
                content: .init(title: identifier),
                date: Date(timeIntervalSince1970: 0)
            ),
            handle: handle.map { NotificationHandle($0) },
            isShown: true,
            owner: owner
        )
    }

    private func store(_ entries: DeliveredNotification...) async throws -> WatchedStore {
        let store = WatchedStore()
        try await store.update { record in
            record.delivered = entries
            record.runs = 1
        }
        return store
    }

    @Test func whatWasDeliveredIsListedByTheNextRun() async throws {
        let store = WatchedStore()
        let first = Bench(store: store)
        _ = try await first.add("a", "A")
        _ = try await first.add("b", "B")
        first.center.markRead(["a"])
        first.center.setBadge(3)
        try await store.wait { $0.badge == 3 && $0.delivered.count == 2 }
        let next = Bench(store: store)
        next.center.start()
        try await next.waitForDelivered(2)
        #expect(next.deliveredTitles == ["A", "B"])
        #expect(next.center.delivered().map(\.isRead) == [true, false])
        #expect(next.center.badge() == 3)
        _ = try await next.add("a", "new")
        try await store.wait { $0.delivered.map(\.notification.content.title) == ["B", "new"] }
        next.center.remove(["b"])
        try await store.wait { $0.delivered.map(\.notification.content.title) == ["new"] }
    }

    @Test func theNumbersOfDeliveriesGrowFromRunToRun() async throws {
        let store = WatchedStore()
        var last = 0
        for _ in 0..<3 {
            let bench = Bench(store: store)
            _ = try await bench.add("a")
            let number = try #require(bench.center.delivered().last?.id.number)
            #expect(number > last)
            last = number
        }
    }

    @Test func promise10_whatIsStillShownIsTakenOverAndTheRestIsGone() async throws {
        let store = try await store(entry("a", 1), entry("b", 2), entry("c", 3, handle: nil))
        let backend = ScriptedBackend(stillShown: ["a"])
        let bench = Bench(backend: backend, store: store)
        bench.center.start()
        #expect(try await backend.calls.next().text == "restore a=h b=h")
        let closed = try await bench.closes.next()
        #expect(closed.notification.identifier == "b" && closed.reason == .unknown)
        #expect(bench.deliveredTitles == ["a", "b", "c"])
        try await store.wait { $0.delivered.map(\.handle?.text) == ["again h", nil, nil] }
        backend.tell(.responded(.init(identifier: "a", number: 1), .open, activationToken: "t"))
        #expect(bench.responses.messages.map(\.activationToken) == ["t"])
        #expect(try await backend.calls.next().text == "close a")
        #expect(bench.deliveredTitles == ["b", "c"])
    }

    @Test func promise10_whatALivingProcessShowsIsNotTakenOver() async throws {
        let other = Bench()
        let store = try await store(entry("a", 1, owner: other.center.owner))
        let backend = ScriptedBackend(stillShown: ["a"])
        let bench = Bench(backend: backend, store: store)
        bench.center.start()
        try await bench.waitForDelivered(1)
        _ = try await bench.add("b")
        #expect(backend.calls.messages.map(\.text) == ["show ", "shown "])
        #expect(bench.closes.messages.isEmpty)
        try await store.wait { $0.delivered.map(\.notification.identifier) == ["a", "b"] }
    }

    @Test func promise10_nothingIsShownBeforeWhatIsLeftIsTakenOver() async throws {
        let store = try await store(entry("a", 1))
        let backend = ScriptedBackend(stillShown: ["a"])
        let bench = Bench(backend: backend, store: store)
        _ = try await bench.add("a", "new")
        #expect(
            backend.calls.messages.map(\.text) == ["restore a=h", "show new", "shown new"]
        )
        #expect(bench.deliveredTitles == ["new"])
        // The end of what was replaced is no news.
        backend.tell(.closed(.init(identifier: "a", number: 1), .closedByProgram))
        #expect(bench.closes.messages.isEmpty)
    }

    @Test func handlesAreKept() async throws {
        let store = WatchedStore()
        let result = NotificationBackendResult.accepted(handle: NotificationHandle("bus 7"))
        let bench = Bench(backend: ScriptedBackend(result), store: store)
        _ = try await bench.add("a")
        try await store.wait { $0.delivered.map(\.handle?.text) == ["bus 7"] }
    }

    @Test func whatCannotBeKeptIsToldAndTriedAgain() async throws {
        let store = WatchedStore()
        let bench = Bench(store: store)
        let failures = MessageRecorder(NotificationStoreFailed.self, on: bench.messages)
        try await bench.center.requestAuthorization()
        store.setFull(true)
        #expect(try await bench.add("a") == .accepted())
        #expect(try await failures.next().error.code == .storeFailed)
        store.setFull(false)
        _ = try await bench.add("b")
        try await store.wait { $0.delivered.count == 2 }
    }

    @Test func promise10_whatIsLeftIsTakenOverByOneOfTwoThatStartAtOnce() async throws {
        let store = try await store(entry("a", 1))
        let (one, other) = (ScriptedBackend(stillShown: ["a"]), ScriptedBackend(stillShown: ["a"]))
        // Neither can write what it has taken over before the other has read what is left.
        let both = Meeting(store: store, of: 2)
        let benches = [Bench(backend: one, store: both), Bench(backend: other, store: both)]
        for bench in benches { bench.center.start() }
        for bench in benches { _ = try await bench.add("b") }
        let restored = [one, other].map { backend in
            backend.calls.messages.filter { $0.text == "restore a=h" }.count
        }
        #expect(restored.sorted() == [0, 1])
    }

    @Test func promise10_whatIsRemovedBeforeItIsListedIsGoneAndClosed() async throws {
        for removal in [["a"], nil] {
            let store = try await store(entry("a", 1))
            let backend = ScriptedBackend(stillShown: ["a"])
            let bench = Bench(backend: backend, store: store)
            if let removal {
                bench.center.removeDelivered(removal)
            } else {
                bench.center.removeAllDelivered()
            }
            _ = try await bench.add("b", "b")
            #expect(bench.deliveredTitles == ["b"])
            _ = try await backend.calls.wait(until: { $0.contains(.init(text: "close a")) })
            try await store.wait { $0.delivered.map(\.notification.identifier) == ["b"] }
        }
    }

    @Test func aLargePictureIsShownButNotKept() async throws {
        let store = WatchedStore()
        let bench = Bench(store: store)
        let pixels = [UInt8](repeating: 7, count: 300 * 300 * 3)
        let image = try NotificationImage(width: 300, height: 300, pixels: pixels)
        let content = UserNotificationContent(title: "a", attachments: [.image(image)])
        _ = await (try bench.center.add(.init(identifier: "a", content: content))).outcome
        #expect(bench.backend.shown.map(\.content) == [content])
        try await store.wait { $0.delivered.map(\.notification.content.attachments) == [[]] }
    }
}
