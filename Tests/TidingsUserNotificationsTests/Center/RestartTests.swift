// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsUserNotifications

/// The record of an earlier run.
@Suite(.timeLimit(.minutes(15)))
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

    private func store(_ entries: DeliveredNotification...) async throws -> ScriptedStore {
        let store = ScriptedStore()
        try await store.update { record in
            record.delivered = entries
            record.runs = 1
        }
        return store
    }

    @Test func theNextRunListsDeliveredNotifications() async throws {
        let store = ScriptedStore()
        let first = CenterFixture(store: store)
        _ = try await first.add("a", "A")
        _ = try await first.add("b", "B")
        first.center.markRead(["a"])
        first.center.setBadge(3)
        try await store.wait { $0.badge == 3 && $0.delivered.count == 2 }
        let next = CenterFixture(store: store)
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
        let store = ScriptedStore()
        var last = 0
        for _ in 0..<3 {
            let fixture = CenterFixture(store: store)
            _ = try await fixture.add("a")
            let number = try #require(fixture.center.delivered().last?.id.number)
            #expect(number > last)
            last = number
        }
    }

    @Test func n10_visibleNotificationsAreTakenOverAndTheRestIsClosed() async throws {
        let store = try await store(entry("a", 1), entry("b", 2), entry("c", 3, handle: nil))
        let backend = ScriptedBackend(stillShown: ["a"])
        let fixture = CenterFixture(backend: backend, store: store)
        fixture.center.start()
        #expect(try await backend.calls.next().text == "restore a=h b=h")
        let closed = try await fixture.closes.next()
        #expect(closed.notification.identifier == "b" && closed.reason == .unknown)
        #expect(fixture.deliveredTitles == ["a", "b", "c"])
        try await store.wait { $0.delivered.map(\.handle?.text) == ["again h", nil, nil] }
        backend.send(.responded(.init(identifier: "a", number: 1), .open, activationToken: "t"))
        #expect(fixture.responses.messages.map(\.activationToken) == ["t"])
        #expect(try await backend.calls.next().text == "close a")
        #expect(fixture.deliveredTitles == ["b", "c"])
    }

    @Test func n10_theNotificationsOfALivingProcessStayItsOwn() async throws {
        let other = CenterFixture()
        let store = try await store(entry("a", 1, owner: other.center.owner))
        let backend = ScriptedBackend(stillShown: ["a"])
        let fixture = CenterFixture(backend: backend, store: store)
        fixture.center.start()
        try await fixture.waitForDelivered(1)
        _ = try await fixture.add("b")
        #expect(backend.calls.messages.map(\.text) == ["show ", "shown "])
        #expect(fixture.closes.messages.isEmpty)
        try await store.wait { $0.delivered.map(\.notification.identifier) == ["a", "b"] }
    }

    @Test func n10_nothingIsShownBeforeTheRestore() async throws {
        let store = try await store(entry("a", 1))
        let backend = ScriptedBackend(stillShown: ["a"])
        let fixture = CenterFixture(backend: backend, store: store)
        _ = try await fixture.add("a", "new")
        #expect(
            backend.calls.messages.map(\.text) == ["restore a=h", "show new", "shown new"]
        )
        #expect(fixture.deliveredTitles == ["new"])
        // The end of a replaced notification is not posted.
        backend.send(.closed(.init(identifier: "a", number: 1), .closedByProgram))
        #expect(fixture.closes.messages.isEmpty)
    }

    @Test func n18_eachStoreHasOneIdentityForAllItsRuns() async throws {
        func identity(_ store: some NotificationStore) async throws -> String {
            let backend = ScriptedBackend()
            _ = try await CenterFixture(backend: backend, store: store).add("a")
            return backend.senders.last?.store ?? ""
        }
        let (store, other) = (ScriptedStore(), ScriptedStore())
        let first = try await identity(store)
        #expect(try await identity(store) == first)
        #expect(try await identity(other) != first)
    }

    @Test func n18_aStoreThatCannotBeReadHasNoIdentityOfAnother() async throws {
        var identities: [String] = []
        for store in [ScriptedStore(), ScriptedStore()] {
            store.failNext(1)
            let backend = ScriptedBackend()
            _ = try await CenterFixture(backend: backend, store: store).add("a")
            // A second sender may follow, after another attempt to read the store.
            identities += backend.senders.prefix(1).map(\.store)
        }
        #expect(Set(identities).count == 2)
        #expect(!identities.contains(""))
    }

    @Test func handlesAreStored() async throws {
        let store = ScriptedStore()
        let result = NotificationBackendResult.accepted(handle: NotificationHandle("bus 7"))
        let fixture = CenterFixture(backend: ScriptedBackend(result), store: store)
        _ = try await fixture.add("a")
        try await store.wait { $0.delivered.map(\.handle?.text) == ["bus 7"] }
    }

    @Test func aFailedSaveIsPostedAndRetried() async throws {
        let store = ScriptedStore()
        let fixture = CenterFixture(store: store)
        let failures = MessageRecorder(UserNotificationStoreFailed.self, on: fixture.messages)
        try await fixture.center.requestAuthorization()
        store.setFull(true)
        #expect(try await fixture.add("a") == .accepted())
        #expect(try await failures.next().error.code == .storeFailed)
        store.setFull(false)
        _ = try await fixture.add("b")
        try await store.wait { $0.delivered.count == 2 }
    }

    @Test func n10_oneOfTwoConcurrentStartsTakesOver() async throws {
        let store = try await store(entry("a", 1))
        let (one, other) = (ScriptedBackend(stillShown: ["a"]), ScriptedBackend(stillShown: ["a"]))
        // Both runs read the record before either run restores.
        let both = BarrierStore(store: store, of: 2)
        let fixtures = [
            CenterFixture(backend: one, store: both), CenterFixture(backend: other, store: both),
        ]
        for fixture in fixtures { fixture.center.start() }
        for fixture in fixtures { _ = try await fixture.add("b") }
        let restored = [one, other].map { backend in
            backend.calls.messages.filter { $0.text == "restore a=h" }.count
        }
        #expect(restored.sorted() == [0, 1])
    }

    @Test func n10_aRemovalBeforeTheStartClosesTheNotification() async throws {
        for removal in [["a"], nil] {
            let store = try await store(entry("a", 1))
            let backend = ScriptedBackend(stillShown: ["a"])
            let fixture = CenterFixture(backend: backend, store: store)
            if let removal {
                fixture.center.removeDelivered(removal)
            } else {
                fixture.center.removeDelivered()
            }
            _ = try await fixture.add("b", "b")
            #expect(fixture.deliveredTitles == ["b"])
            _ = try await backend.calls.wait(until: { $0.contains(.init(text: "close a")) })
            try await store.wait { $0.delivered.map(\.notification.identifier) == ["b"] }
        }
    }

    @Test func aLargePictureIsShownButNotStored() async throws {
        let store = ScriptedStore()
        let fixture = CenterFixture(store: store)
        let pixels = [UInt8](repeating: 7, count: 300 * 300 * 3)
        let image = try NotificationImage(width: 300, height: 300, pixels: pixels)
        let content = UserNotificationContent(title: "a", picture: .image(image))
        _ = await (try fixture.center.add(.init(identifier: "a", content: content))).outcome
        #expect(fixture.backend.shown.map(\.content) == [content])
        try await store.wait { $0.delivered.map(\.notification.content.attachments) == [[]] }
    }
}
