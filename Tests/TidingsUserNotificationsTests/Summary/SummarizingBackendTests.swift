// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting
import TidingsUserNotificationsTesting

@testable import TidingsUserNotifications

/// Records the events of a backend.
private final class EventLog: Sendable {
    private let events = Lock<[NotificationBackendEvent]>([])

    var all: [NotificationBackendEvent] { events.withLock(\.self) }

    func record(_ event: NotificationBackendEvent) { events.withLock { $0.append(event) } }
}

@Suite(.timeLimit(.minutes(15)))
struct SummarizingBackendTests {
    private let desktop = UserNotificationInMemoryBackend()
    private let backend: SummarizingBackend
    private let log = EventLog()

    init() {
        backend = SummarizingBackend(desktop, thread: "downloads", summarize: Self.summary)
        backend.start { [log] in log.record($0) }
    }

    /// Names the newest three members, and keeps the newest member's action that leads to a list.
    private static func summary(of members: [UserNotification]) -> UserNotificationContent {
        let count = members.count
        var lines = members.reversed().prefix(3).map(\.content.title)
        if count > lines.count { lines.append("and \(count - lines.count) more") }
        var content = UserNotificationContent(
            title: count == 1 ? "1 download is ready" : "\(count) downloads are ready",
            body: lines.joined(separator: "\n"),
            sound: members.last?.content.sound
        )
        content.actions = members.last?.actions.filter { $0.identifier == "library" }
        return content
    }

    private var titles: [String] { desktop.shown.map(\.content.title) }

    private func makeNotification(
        _ number: Int,
        after seconds: TimeInterval = 0,
        thread: String = "downloads"
    ) -> UserNotification {
        UserNotification(
            id: NotificationDelivery(identifier: "download-\(number)", number: number),
            content: UserNotificationContent(
                title: "Lesson \(number)",
                sound: .default,
                thread: thread
            ),
            actions: [
                UserNotificationAction("play", title: "Play"),
                UserNotificationAction("library", title: "Open Library"),
            ],
            date: Date(timeIntervalSince1970: 1_767_268_800 + seconds)
        )
    }

    private func show(_ numbers: some Sequence<Int>) async {
        for number in numbers { _ = await backend.show(makeNotification(number)) }
    }

    @Test func threeBubblesStaySingle() async {
        await show(1...3)
        #expect(titles == ["Lesson 1", "Lesson 2", "Lesson 3"])
        #expect(log.all.isEmpty)
    }

    @Test func n23_aColumnOfBubblesBecomesOneInPlace() async throws {
        await show(1...4)
        #expect(titles == ["4 downloads are ready"])
        let first = try #require(desktop.shown.first)
        #expect(first.content.sound == .default && first.presentation.contains(.sound))
        await show(5...12)
        #expect(titles == ["12 downloads are ready"])
        let last = try #require(desktop.shown.first)
        #expect(last.content.body == "Lesson 12\nLesson 11\nLesson 10\nand 9 more")
        #expect(last.actions.map(\.title) == ["Open Library"])
        #expect(last.identifier == first.identifier)
        // An update in place is silent.
        #expect(!last.presentation.contains(.sound))
    }

    @Test func n23_downloadsThatEndTogetherMakeOneBubble() async {
        await withTaskGroup { group in
            for number in 1...12 {
                group.addTask { _ = await backend.show(makeNotification(number)) }
            }
        }
        #expect(titles == ["12 downloads are ready"])
    }

    @Test func bubblesThatComeSlowlyStaySingle() async {
        for number in 1...6 {
            _ = await backend.show(makeNotification(number, after: 21 * TimeInterval(number)))
        }
        #expect(titles == (1...6).map { "Lesson \($0)" })
    }

    @Test func dismissedBubblesDoNotCount() async throws {
        await show(1...3)
        try desktop.end("download-1", .dismissed)
        await show([4])
        #expect(titles == ["Lesson 2", "Lesson 3", "Lesson 4"])
    }

    @Test func otherThreadsAndQuietOnesStaySingle() async {
        for number in 1...5 {
            _ = await backend.show(makeNotification(number, thread: "devices"))
        }
        #expect(titles == (1...5).map { "Lesson \($0)" })
    }

    @Test func aReplacedNotificationKeepsItsBubble() async {
        await show([1, 2, 3, 2, 1])
        #expect(titles == ["Lesson 3", "Lesson 2", "Lesson 1"])
        await show([4, 2])
        #expect(titles == ["4 downloads are ready"])
    }

    @Test func n23_aTapOnTheSummaryIsOneOnTheNewest() async throws {
        await show(1...5)
        let summary = try #require(desktop.shown.first?.identifier)
        try desktop.respond(to: summary, .custom("library"))
        let newest = makeNotification(5).id
        #expect(log.all.last == .responded(newest, .custom("library")))
        // A center closes the notification after a response.
        await backend.close("download-5")
        await backend.close("download-1")
        await show([6])
        #expect(titles == ["Lesson 6"])
    }

    @Test func n24_aTapOnTheSummaryByTheNameOfTheProgramIsOneOnTheNewest() async throws {
        let base = ScriptedBackend()
        let backend = SummarizingBackend(base, thread: "downloads", summarize: Self.summary)
        backend.start { [log] in log.record($0) }
        for number in 1...5 { _ = await backend.show(makeNotification(number)) }
        let activation = NotificationActivation(
            store: "s",
            delivery: makeNotification(5).id,
            action: .custom("library")
        )
        base.send(.activated(activation))
        #expect(log.all.last == .activated(activation))
        // A center closes the notification after a response.
        await backend.close("download-5")
        _ = await backend.show(makeNotification(6))
        let calls = base.calls.messages.map(\.text)
        #expect(calls.contains("close summary-downloads") && calls.last == "shown Lesson 6")
    }

    private func makeCenter(
        _ backend: any NotificationBackend,
        _ messages: MessageCenter,
        _ store: InMemoryNotificationStore
    ) -> UserNotificationCenter {
        UserNotificationCenter(
            application: .init(id: "org.example.Films", name: "Films"),
            backend: SummarizingBackend(backend, thread: "downloads", summarize: Self.summary),
            messages: messages,
            store: store,
            clock: ManualNotificationClock()
        ) { _ in .granted }
    }

    /// Delivers five notifications in a run that then ends.
    private func endedRun(_ store: InMemoryNotificationStore) async throws {
        let center = makeCenter(desktop, MessageCenter(), store)
        for number in 1...5 {
            var content = makeNotification(number).content
            content.actions = makeNotification(number).actions
            let request = UserNotificationRequest(identifier: "\(number)", content: content)
            _ = await (try center.add(request)).outcome
        }
        await center.flush()
    }

    @Test func n24_aTapOnTheSummaryOfAnEndedRunStartsTheProgram() async throws {
        let store = InMemoryNotificationStore(.granted)
        try await endedRun(store)
        let summary = try #require(desktop.shown.first)
        #expect(summary.content.title == "5 downloads are ready")
        let messages = MessageCenter()
        let responses = MessageRecorder(UserNotificationResponse.self, on: messages)
        let next = ScriptedBackend()
        let center = makeCenter(next, messages, store)
        next.send(
            .activated(
                NotificationActivation(
                    store: try #require(await store.read().identity),
                    delivery: summary.activationID ?? summary.id,
                    action: .custom("library")
                )
            )
        )
        try await center.activations.run {}
        #expect(responses.messages.map(\.notification.identifier) == ["5"])
    }

    @Test func n23_dismissingTheSummaryDismissesNoNotification() async throws {
        await show(1...4)
        let before = log.all.count
        try desktop.end(try #require(desktop.shown.first?.identifier), .dismissed)
        let closed = log.all.dropFirst(before)
        #expect(closed == (1...4).map { .closed(makeNotification($0).id, .unknown) }[...])
        await show([5])
        #expect(titles == ["Lesson 5"])
    }

    @Test func theSummaryGoesWithItsLastNotification() async {
        await show(1...4)
        await backend.close("download-4")
        #expect(titles == ["3 downloads are ready"])
        for number in 1...3 { await backend.close("download-\(number)") }
        #expect(titles.isEmpty)
    }

    @Test func onlyTheNewestHasAHandle() async {
        await show(1...3)
        let fourth = await backend.show(makeNotification(4))
        guard case .accepted(_, _?) = fourth else {
            Issue.record("\(fourth)")
            return
        }
        let ends = (1...3).map {
            NotificationBackendEvent.closed(makeNotification($0).id, .closedByProgram)
        }
        #expect(log.all == ends)
        _ = await backend.show(makeNotification(5))
        #expect(log.all.last == .closed(makeNotification(4).id, .closedByProgram))
    }

    @Test func notificationsThatAreNotShownDoNotCount() async {
        desktop.setAvailability(.unavailable("gone"))
        await show(1...4)
        desktop.setAvailability(.available)
        await show([5])
        #expect(titles == ["Lesson 5"])
    }

    @Test func aSummaryEndsWithItsDaemon() async {
        await show(1...5)
        desktop.setAvailability(.unavailable("gone"))
        #expect(await backend.show(makeNotification(6)) == .unavailable("gone"))
        desktop.setAvailability(.available)
        await show([7])
        #expect(titles == ["Lesson 7"])
    }
}
