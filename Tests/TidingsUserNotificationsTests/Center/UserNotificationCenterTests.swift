// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications

@Suite(.timeLimit(.minutes(5)))
struct UserNotificationCenterTests {
    private static let download = NotificationCategory(
        "DOWNLOAD_COMPLETE",
        actions: [NotificationAction("library", title: "Open Library")]
    )

    // MARK: Replacing

    @Test func promise4_aDeliveredNotificationIsReplacedInPlace() async throws {
        let bench = Bench()
        #expect(try await bench.add("1", "old") == .accepted())
        bench.center.markRead()
        #expect(try await bench.add("1", "new") == .accepted())
        #expect(bench.deliveredTitles == ["new"])
        #expect(bench.shownTitles == ["new"])
        #expect(bench.center.unreadCount() == 1)
    }

    @Test func promise4_ofTwoThatRaceTheLaterIsTheVisibleOne() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let bench = Bench(backend: backend)
        let first = try await bench.post("1", "first")
        #expect(try await backend.calls.next().text == "show first")
        let second = try await bench.post("1", "second")
        let third = try await bench.post("1", "third")
        gate.open()
        #expect(await first.outcome == .accepted())
        #expect(await second.outcome == .replaced)
        #expect(await third.outcome == .accepted())
        #expect(
            backend.calls.messages.map(\.text)
                == ["show first", "shown first", "show third", "shown third"]
        )
        #expect(bench.deliveredTitles == ["third"])
    }

    @Test func promise4_manyRacingPostsLeaveOneVisible() async throws {
        let bench = Bench()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = try await bench.add("\(number % 2)", "\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(bench.center.delivered().count == 2)
        #expect(Set(bench.shownTitles) == Set(bench.deliveredTitles))
    }

    // MARK: Outcomes

    @Test func promise5_acceptedIsWhatTheBackendTook() async throws {
        let bench = Bench()
        let receipt = try await bench.post("1", "hello")
        #expect(receipt.identifier == "1")
        #expect(await receipt.outcome == .accepted())
        #expect(await receipt.outcome == .accepted())
        #expect(bench.shownTitles == ["hello"])
    }

    @Test func promise5_aRefusalSaysWhyAndTheListHasItAll() async throws {
        let bench = Bench(backend: ScriptedBackend(.refused("too many")))
        #expect(try await bench.add("1", "hello") == .refused("too many"))
        #expect(bench.deliveredTitles == ["hello"])
    }

    @Test func promise5_aSilentBackendIsTimedOutAfterFiveSeconds() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let bench = Bench(backend: backend)
        let receipt = try await bench.post("1", "hello")
        _ = try await backend.calls.next()
        try await bench.clock.waitForSleepers()
        bench.clock.advance(by: .seconds(5))
        #expect(await receipt.outcome == .timedOut)
        gate.open()
    }

    /// Who shows it may have the same limit, and say so before the center's own is noticed.
    @Test func promise5_aBackendThatGivesUpAtTheLimitIsTimedOut() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(.unavailable("no answer"), gate: gate)
        let clock = ManualNotificationClock()
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Bench", name: "Bench"),
            backend: backend,
            messages: MessageCenter(),
            store: InMemoryNotificationStore(.granted),
            clock: LateClock(time: clock)
        ) { _ in nil }
        let receipt = try await center.add(.init(identifier: "1", content: .init(title: "1")))
        _ = try await backend.calls.next()
        clock.advance(by: .seconds(5))
        gate.open()
        #expect(await receipt.outcome == .timedOut)
    }

    // MARK: Text

    @Test(arguments: [
        "a & b < c > d \"e\" 'f'", "<b>not bold</b>", "two\nlines\ttab", "🎬👩‍👩‍👧‍👦", "שלום עולם",
        "\u{202E}reversed", "", "\u{0}nul",
    ])
    func promise6_whatIsGivenIsWhatIsRead(_ text: String) async throws {
        let bench = Bench()
        let content = UserNotificationContent(
            title: text,
            subtitle: text,
            body: text,
            userInfo: [text: .string(text)]
        )
        let receipt = try await bench.center.add(.init(identifier: "1", content: content))
        #expect(await receipt.outcome == .accepted())
        #expect(bench.backend.shown.map(\.content) == [content])
        #expect(bench.center.delivered().map(\.content) == [content])
    }

    // MARK: Responses

    @Test func promise8_aDeliveredNotificationGivesOneResponse() async throws {
        let bench = Bench()
        _ = try await bench.add("1")
        let id = try #require(bench.backend.shown.first?.id)
        try bench.backend.respond(to: "1", .open)
        bench.center.removeAll()
        #expect(bench.responses.messages.map(\.notification.id) == [id])
        #expect(bench.center.delivered().isEmpty)
    }

    @Test func promise8_ofManyWhoRespondAtOnceOneIsHeard() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1")
        let id = try #require(bench.center.delivered().first?.id)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { backend.tell(.responded(id, .open)) } }
        }
        #expect(bench.responses.messages.count == 1)
    }

    @Test func promise8_ofManyWhoRespondInTheListOneSucceeds() async throws {
        let bench = Bench()
        _ = try await bench.add("1")
        let heard = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? bench.center.respond(to: "1")) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(heard == 1)
        #expect(bench.responses.messages.count == 1)
    }

    @Test func aSuppressedNotificationCanBeRespondedToInTheList() async throws {
        let bench = Bench()
        bench.center.isInFront = true
        #expect(try await bench.add("1") == .suppressed)
        #expect(throws: UserNotificationError.self) {
            try bench.center.respond(to: "1", .custom("library"))
        }
        #expect(try bench.center.respond(to: "1").action == .open)
        #expect(bench.responses.messages.count == 1)
        #expect(throws: UserNotificationError.self) { try bench.center.respond(to: "1") }
    }

    @Test func promise8_weCloseWhatWasRespondedTo() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1", "hello")
        let id = try #require(bench.center.delivered().first?.id)
        backend.tell(.responded(id, .open))
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
    }

    @Test func aResponseNamesTheActionOfItsCategory() async throws {
        let bench = Bench()
        bench.center.setCategories([Self.download])
        let content = UserNotificationContent(title: "", category: Self.download.identifier)
        _ = await (try bench.center.add(.init(identifier: "1", content: content))).outcome
        #expect(bench.backend.shown.first?.actions == Self.download.actions)
        #expect(throws: UserNotificationError.self) {
            try bench.backend.respond(to: "1", .custom("delete"))
        }
        try bench.backend.respond(to: "1", .custom("library"))
        #expect(bench.responses.messages.map(\.action) == [.custom("library")])
    }

    @Test func aHandlerMayAddTheNotificationAgain() async throws {
        let bench = Bench()
        let again = Gate()
        let token = bench.messages.observe(NotificationResponse.self) { response in
            Task {
                _ = try await bench.add(response.notification.identifier, "again")
                again.open()
            }
        }
        _ = try await bench.add("1", "first")
        try bench.backend.respond(to: "1", .open)
        try await again.wait()
        token.cancel()
        #expect(bench.deliveredTitles == ["again"])
        #expect(bench.shownTitles == ["again"])
    }

    // MARK: In front

    @Test func promise15_inFrontTheProgramIsAsked() async throws {
        let bench = Bench()
        bench.center.isInFront = true
        bench.center.willPresent = { $0.content.title == "loud" ? [.banner, .sound] : [] }
        #expect(try await bench.add("1", "loud") == .accepted())
        #expect(try await bench.add("2", "quiet") == .suppressed)
        #expect(bench.shownTitles == ["loud"])
        #expect(bench.deliveredTitles == ["loud", "quiet"])
        #expect(bench.center.delivered().map(\.presentation) == [[.banner, .sound], []])
    }

    @Test func promise15_withoutAnAnswerItIsSuppressedButListed() async throws {
        let bench = Bench()
        bench.center.isInFront = true
        #expect(try await bench.add("1", "hello") == .suppressed)
        #expect(bench.deliveredTitles == ["hello"])
        #expect(bench.backend.shown.isEmpty)
    }

    @Test func promise15_oneThatDoesNotAnswerHasASecond() async throws {
        let bench = Bench()
        let (asked, never) = (Gate(), Gate())
        bench.center.isInFront = true
        bench.center.willPresent = { _ in
            asked.open()
            // A handler that does not even listen to its cancellation.
            await Task { try? await never.wait() }.value
            return .all
        }
        let receipt = try await bench.post("1", "hello")
        try await asked.wait()
        // The limit of the handler and the one of the receipt.
        try await bench.clock.waitForSleepers(2)
        bench.clock.advance(by: .seconds(1))
        #expect(await receipt.outcome == .suppressed)
        #expect(bench.deliveredTitles == ["hello"])
        never.open()
    }

    @Test func promise15_aNotificationThatWaitsForTheAnswerCanBeReplaced() async throws {
        let bench = Bench()
        let (asked, answer) = (Gate(), Gate())
        bench.center.isInFront = true
        bench.center.willPresent = { notification in
            guard notification.content.title == "old" else { return .all }
            asked.open()
            try? await answer.wait()
            return .all
        }
        let old = try await bench.post("1", "old")
        try await asked.wait()
        let new = try await bench.post("1", "new")
        answer.open()
        #expect(await old.outcome == .replaced)
        #expect(await new.outcome == .accepted())
        #expect(bench.deliveredTitles == ["new"])
    }

    @Test func promise15_notInFrontNobodyIsAsked() async throws {
        let bench = Bench()
        bench.center.willPresent = { _ in [] }
        #expect(try await bench.add("1") == .accepted())
    }

    @Test func promise15_whatIsSuppressedTakesAwayWhatItReplaces() async throws {
        let bench = Bench()
        #expect(try await bench.add("1", "old") == .accepted())
        bench.center.isInFront = true
        #expect(try await bench.add("1", "new") == .suppressed)
        #expect(bench.shownTitles.isEmpty)
        #expect(bench.deliveredTitles == ["new"])
    }

    // MARK: Badge and list

    @Test func promise17_theBadgeIsNeverNegativeAndZeroClearsIt() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        for count in [3, -7, 2, 0] {
            bench.center.setBadge(count)
            #expect(bench.center.badge() == max(0, count))
            #expect(try await backend.calls.next().text == "badge \(max(0, count))")
        }
    }

    @Test func promise17_aContentSetsTheBadge() async throws {
        let bench = Bench()
        for (badge, expected) in [(4, 4), (nil, 4), (-1, 0)] {
            let content = UserNotificationContent(title: "", badge: badge)
            _ = await (try bench.center.add(.init(identifier: "1", content: content))).outcome
            #expect(bench.center.badge() == expected)
        }
    }

    @Test func promise17_theBadgeOfAContentIsShown() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        let content = UserNotificationContent(title: "1", badge: 4)
        _ = await (try bench.center.add(.init(identifier: "1", content: content))).outcome
        _ = try await backend.calls.wait(until: { $0.contains(.init(text: "badge 4")) })
    }

    @Test func promise17_theBadgeOfAnEarlierRunIsShownAgain() async throws {
        let store = InMemoryNotificationStore(.granted)
        try await store.update { $0.badge = 3 }
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend, store: store)
        bench.center.start()
        #expect(try await backend.calls.next().text == "badge 3")
        bench.center.setBadge(0)
        await bench.center.flush()
        #expect(await store.read().badge == 0)
    }

    @Test func theBackendReleasesWhatItToldOutsideItsLock() {
        final class Canary: Sendable {
            let backend: InMemoryNotificationBackend
            init(_ backend: InMemoryNotificationBackend) { self.backend = backend }
            deinit { _ = backend.shown }
            func stay() {}
        }
        let backend = InMemoryNotificationBackend()
        do {
            let canary = Canary(backend)
            backend.start { _ in canary.stay() }
        }
        backend.start { _ in }
        #expect(backend.shown.isEmpty)
    }

    @Test func readingIsCountedAndTold() async throws {
        let bench = Bench()
        let changes = MessageRecorder(DeliveredNotificationsChanged.self, on: bench.messages)
        for identifier in ["1", "2", "3"] { _ = try await bench.add(identifier) }
        bench.center.markRead(["1"])
        #expect(bench.center.unreadCount() == 2)
        bench.center.markRead(["1"])
        bench.center.markRead()
        bench.center.remove(["2", "unknown"])
        #expect(bench.center.delivered().map(\.identifier) == ["1", "3"])
        #expect(changes.messages.map(\.unreadCount) == [1, 2, 3, 2, 0, 0])
    }

    @Test func theLastNumbersToldAreTheNewestWhoeverRaces() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        let changes = MessageRecorder(DeliveredNotificationsChanged.self, on: bench.messages)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...50 {
                group.addTask {
                    _ = try await bench.add("\(number)")
                    bench.center.setBadge(number)
                }
            }
            try await group.waitForAll()
        }
        #expect(changes.messages.last?.unreadCount == 50)
        bench.center.setBadge(0)
        while try await backend.calls.next().text != "badge 0" {}
        #expect(backend.calls.messages.last?.text == "badge 0")
    }

    @Test func removingTakesAwayWhatIsShown() async throws {
        let backend = ScriptedBackend()
        let bench = Bench(backend: backend)
        _ = try await bench.add("1", "hello")
        bench.center.removeAll()
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls.last == "close 1")
        #expect(bench.center.delivered().isEmpty)
    }

    @Test func theBackendDoesNotKeepTheCenter() async throws {
        let backend = ScriptedBackend()
        weak var center: UserNotificationCenter?
        do {
            let bench = Bench(backend: backend)
            center = bench.center
            #expect(center != nil)
        }
        #expect(center == nil)
    }
}
