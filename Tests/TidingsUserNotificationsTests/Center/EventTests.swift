// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

/// What a backend tells, and what the program hears of it.
@Suite(.timeLimit(.minutes(5)))
struct EventTests {
    private static let message = NotificationCategory(
        "MESSAGE",
        actions: [
            .init("answer", title: "Answer", textInput: .init(placeholder: "Your answer")),
            .init("delete", title: "Delete", options: .destructive),
        ],
        options: .reportsDismissal
    )

    private func delivery(_ bench: Bench) throws -> NotificationDelivery {
        try #require(bench.center.delivered().last?.id)
    }

    @Test func promise8_aCloseThatFollowsAResponseIsSwallowed() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1")
        let id = try delivery(bench)
        backend.tell(.responded(id, .open))
        backend.tell(.closed(id, .dismissed))
        backend.tell(.responded(id, .open))
        #expect(bench.responses.messages.count == 1)
        #expect(bench.closes.messages.isEmpty)
    }

    @Test(arguments: [NotificationCloseReason.expired, .closedByProgram, .unknown])
    func promise8_whatIsNotShownAnyMoreIsStillListed(_ reason: NotificationCloseReason) async throws
    {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1")
        let id = try delivery(bench)
        backend.tell(.closed(id, reason))
        backend.tell(.closed(id, reason))
        #expect(bench.closes.messages.map(\.reason) == [reason])
        #expect(bench.center.delivered().map(\.id) == [id])
        try bench.center.respond(to: "1")
        #expect(bench.responses.messages.count == 1)
    }

    @Test func promise8_whatIsPutAwayLeavesTheList() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1")
        backend.tell(.closed(try delivery(bench), .dismissed))
        #expect(bench.center.delivered().isEmpty)
        #expect(bench.closes.messages.map(\.reason) == [.dismissed])
        #expect(bench.responses.messages.isEmpty)
    }

    @Test func promise8_aCategoryMayReportThatItIsPutAway() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        bench.center.setCategories([Self.message])
        for isResponse in [false, true] {
            let content = UserNotificationContent(title: "", category: "MESSAGE")
            _ = await (try bench.center.add(.init(identifier: "1", content: content))).outcome
            let id = try delivery(bench)
            backend.tell(isResponse ? .responded(id, .dismissed) : .closed(id, .dismissed))
            backend.tell(.closed(id, .dismissed))
        }
        #expect(bench.responses.messages.map(\.action) == [.dismissed, .dismissed])
    }

    @Test func anEndThatIsToldBeforeTheBeginningCounts() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(.accepted(handle: NotificationHandle("h")), gate: gate)
        let store = WatchedStore()
        let bench = Bench(backend: backend, store: store)
        let receipt = try await bench.post("1", "quick")
        _ = try await backend.calls.next()
        backend.tell(.closed(try delivery(bench), .expired))
        gate.open()
        #expect(await receipt.outcome == .accepted())
        #expect(bench.closes.messages.map(\.reason) == [.expired])
        _ = await bench.center.pending()
        #expect(try await store.read().delivered.map(\.handle) == [nil])
    }

    @Test func theEndOfWhatWasReplacedIsNoNews() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1", "old")
        let old = try delivery(bench)
        _ = try await bench.add("1", "new")
        backend.tell(.closed(old, .dismissed))
        #expect(bench.deliveredTitles == ["new"])
        #expect(bench.closes.messages.isEmpty)
    }

    @Test func whatIsSuppressedHasNoEnd() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        bench.center.isInFront = true
        _ = try await bench.add("1")
        backend.tell(.closed(try delivery(bench), .dismissed))
        #expect(bench.center.delivered().count == 1)
        #expect(bench.closes.messages.isEmpty)
    }

    @Test func aResponseInWordsComesBack() async throws {
        let bench = Bench()
        bench.center.setCategories([Self.message])
        let content = UserNotificationContent(title: "", category: "MESSAGE")
        _ = await (try bench.center.add(.init(identifier: "1", content: content))).outcome
        let wrong: [NotificationResponse.Action] = [
            .custom("answer"), .reply("delete", "x"), .reply("unknown", "x"),
        ]
        for action in wrong {
            #expect(throws: UserNotificationError.self) {
                try bench.backend.respond(to: "1", action)
            }
        }
        try bench.backend.respond(to: "1", .reply("answer", "At <eight> & not later\n🎬"))
        let action = NotificationResponse.Action.reply("answer", "At <eight> & not later\n🎬")
        #expect(bench.responses.messages.map(\.action) == [action])
    }

    @Test func promise10_whatComesBeforeAHandlerIsHandedOverOnceInOrder() async throws {
        let messages = MessageCenter()
        let backend = InMemoryNotificationBackend()
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
        let first = MessageRecorder(NotificationResponse.self, on: messages)
        let second = MessageRecorder(NotificationResponse.self, on: messages)
        #expect(first.messages.map(\.notification.identifier) == ["a", "b", "c"])
        #expect(second.messages.isEmpty)
    }
}
