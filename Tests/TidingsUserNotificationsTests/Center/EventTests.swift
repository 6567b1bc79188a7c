// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// Events of a backend, and the messages that the center posts for them.
@Suite(.timeLimit(.minutes(15)))
struct EventTests {
    private static let message = UserNotificationCategory(
        "MESSAGE",
        actions: [
            .init("answer", title: "Answer", textInput: .init(placeholder: "Your answer")),
            .init("delete", title: "Delete", options: .destructive),
        ],
        reportsDismissal: true
    )

    private func delivery(_ fixture: CenterFixture) throws -> NotificationDelivery {
        try #require(fixture.center.delivered().last?.id)
    }

    @Test func n8_aCloseAfterAResponseIsDropped() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1")
        let id = try delivery(fixture)
        backend.send(.responded(id, .open))
        backend.send(.closed(id, .dismissed))
        backend.send(.responded(id, .open))
        #expect(fixture.responses.messages.count == 1)
        #expect(fixture.closes.messages.isEmpty)
    }

    @Test(arguments: [UserNotificationCloseReason.expired, .closedByProgram, .unknown])
    func n8_aClosedNotificationIsStillListed(_ reason: UserNotificationCloseReason) async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1")
        let id = try delivery(fixture)
        backend.send(.closed(id, reason))
        backend.send(.closed(id, reason))
        #expect(fixture.closes.messages.map(\.reason) == [reason])
        #expect(fixture.center.delivered().map(\.id) == [id])
        try fixture.center.respond(to: "1")
        #expect(fixture.responses.messages.count == 1)
    }

    @Test func n8_aDismissedNotificationLeavesTheList() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1")
        backend.send(.closed(try delivery(fixture), .dismissed))
        #expect(fixture.center.delivered().isEmpty)
        #expect(fixture.closes.messages.map(\.reason) == [.dismissed])
        #expect(fixture.responses.messages.isEmpty)
    }

    @Test func n8_aCategoryCanReportDismissals() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        fixture.center.setCategories([Self.message])
        for isResponse in [false, true] {
            let content = UserNotificationContent(title: "", category: "MESSAGE")
            _ = await (try fixture.center.add(.init(identifier: "1", content: content))).outcome
            let id = try delivery(fixture)
            backend.send(isResponse ? .responded(id, .dismissed) : .closed(id, .dismissed))
            backend.send(.closed(id, .dismissed))
        }
        #expect(fixture.responses.messages.map(\.action) == [.dismissed, .dismissed])
    }

    @Test func aCloseBeforeTheResultOfShowCounts() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(.accepted(handle: NotificationHandle("h")), gate: gate)
        let store = ScriptedStore()
        let fixture = CenterFixture(backend: backend, store: store)
        let receipt = try await fixture.post("1", "quick")
        _ = try await backend.calls.next()
        backend.send(.closed(try delivery(fixture), .expired))
        gate.open()
        #expect(await receipt.outcome == .accepted())
        #expect(fixture.closes.messages.map(\.reason) == [.expired])
        _ = await fixture.center.pending()
        #expect(try await store.read().delivered.map(\.handle) == [nil])
    }

    @Test func closingAReplacedNotificationPostsNothing() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1", "old")
        let old = try delivery(fixture)
        _ = try await fixture.add("1", "new")
        backend.send(.closed(old, .dismissed))
        #expect(fixture.deliveredTitles == ["new"])
        #expect(fixture.closes.messages.isEmpty)
    }

    @Test func aSuppressedNotificationPostsNoClose() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        fixture.center.isInFront = true
        _ = try await fixture.add("1")
        backend.send(.closed(try delivery(fixture), .dismissed))
        #expect(fixture.center.delivered().count == 1)
        #expect(fixture.closes.messages.isEmpty)
    }

    @Test func aTextReplyIsPosted() async throws {
        let fixture = CenterFixture()
        fixture.center.setCategories([Self.message])
        let content = UserNotificationContent(title: "", category: "MESSAGE")
        _ = await (try fixture.center.add(.init(identifier: "1", content: content))).outcome
        let wrong: [UserNotificationResponse.Action] = [
            .custom("answer"), .reply("delete", "x"), .reply("unknown", "x"),
        ]
        for action in wrong {
            #expect(throws: UserNotificationError.self) {
                try fixture.backend.respond(to: "1", action)
            }
        }
        try fixture.backend.respond(to: "1", .reply("answer", "At <eight> & not later\n🎬"))
        let action = UserNotificationResponse.Action.reply("answer", "At <eight> & not later\n🎬")
        #expect(fixture.responses.messages.map(\.action) == [action])
    }

    @Test func n10_earlyResponsesAreDeliveredOnceInOrder() async throws {
        let messages = MessageCenter()
        let backend = UserNotificationInMemoryBackend()
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Early", name: "Early"),
            backend: backend,
            messages: messages
        ) { _ in .granted }
        try await center.requestAuthorization()
        for identifier in ["a", "b", "c"] {
            let request = UserNotificationRequest(identifier: identifier, content: .init(title: ""))
            _ = await (try center.add(request)).outcome
            try backend.respond(to: identifier)
        }
        let first = MessageRecorder(UserNotificationResponse.self, on: messages)
        let second = MessageRecorder(UserNotificationResponse.self, on: messages)
        #expect(first.messages.map(\.notification.identifier) == ["a", "b", "c"])
        #expect(second.messages.isEmpty)
    }
}
