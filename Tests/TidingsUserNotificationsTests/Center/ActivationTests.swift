// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// A response that started the program, or that the desktop passes to the running one.
@Suite(.timeLimit(.minutes(15))) struct CenterActivationTests {
    enum Flaw: CaseIterable {
        case none, otherStore, otherDelivery, otherAction
    }

    @Test(arguments: Flaw.allCases)
    func n24_onlyAnOfferedResponseToAListedNotificationCounts(_ flaw: Flaw) async throws {
        let backend = ScriptedBackend()
        let store = InMemoryNotificationStore(.granted)
        let fixture = CenterFixture(backend: backend, store: store)
        var content = UserNotificationContent(title: "a")
        content.actions = [.init("play", title: "Play")]
        for identifier in ["a", "last"] {
            _ = await (try fixture.center.add(.init(identifier: identifier, content: content)))
                .outcome
        }
        let delivered = fixture.center.delivered()
        let identity = try #require(await store.read().identity)
        let (first, last) = (delivered[0].id, delivered[1].id)
        let other = NotificationDelivery(identifier: "a", number: first.number + 100)
        let activation = NotificationActivation(
            store: flaw == .otherStore ? "x" : identity,
            delivery: flaw == .otherDelivery ? other : first,
            action: .custom(flaw == .otherAction ? "delete" : "play"),
            token: "tok"
        )
        for _ in 0..<2 { backend.send(.activated(activation)) }
        if flaw == .none {
            let response = try await fixture.responses.next()
            #expect(response.notification.identifier == "a" && response.activationToken == "tok")
        }
        backend.send(
            .activated(.init(store: identity, delivery: last, action: .custom("play")))
        )
        #expect(try await fixture.responses.next().notification.identifier == "last")
        #expect(fixture.responses.messages.count == (flaw == .none ? 2 : 1))
    }

    @Test func n10_responsesFromBeforeTheStartAreHandedOverInOrder() async throws {
        let store = InMemoryNotificationStore(.granted)
        let deliveries = try await Self.endedRun(store, count: 100)
        let identity = try #require(await store.read().identity)
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend, store: store)
        for delivery in deliveries {
            backend.send(.activated(.init(store: identity, delivery: delivery, action: .open)))
        }
        var received: [NotificationDelivery] = []
        for _ in deliveries {
            received.append(try await fixture.responses.next().notification.id)
        }
        #expect(received == deliveries)
    }

    /// Delivers notifications in a run that then ends.
    private static func endedRun(
        _ store: InMemoryNotificationStore,
        count: Int
    ) async throws -> [NotificationDelivery] {
        let fixture = CenterFixture(store: store)
        for number in 1...count { _ = try await fixture.add("\(number)") }
        await fixture.center.flush()
        return fixture.center.delivered().map(\.id)
    }
}
