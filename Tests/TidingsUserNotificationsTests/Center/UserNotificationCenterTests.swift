// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

@Suite(.timeLimit(.minutes(15)))
struct UserNotificationCenterTests {
    private static let download = UserNotificationCategory(
        "DOWNLOAD_COMPLETE",
        actions: [UserNotificationAction("library", title: "Open Library")]
    )

    // MARK: Replacing

    @Test func n4_aDeliveredNotificationIsReplacedInPlace() async throws {
        let fixture = CenterFixture()
        #expect(try await fixture.add("1", "old") == .accepted())
        fixture.center.markRead()
        #expect(try await fixture.add("1", "new") == .accepted())
        #expect(fixture.deliveredTitles == ["new"])
        #expect(fixture.shownTitles == ["new"])
        #expect(fixture.center.unreadCount() == 1)
    }

    @Test func n4_theLaterOfTwoRacingRequestsIsVisible() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let fixture = CenterFixture(backend: backend)
        let first = try await fixture.post("1", "first")
        #expect(try await backend.calls.next().text == "show first")
        let second = try await fixture.post("1", "second")
        let third = try await fixture.post("1", "third")
        gate.open()
        #expect(await first.outcome == .accepted())
        #expect(await second.outcome == .replaced)
        #expect(await third.outcome == .accepted())
        #expect(
            backend.calls.messages.map(\.text)
                == ["show first", "shown first", "show third", "shown third"]
        )
        #expect(fixture.deliveredTitles == ["third"])
    }

    @Test func n4_manyRacingPostsLeaveOneVisible() async throws {
        let fixture = CenterFixture()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = try await fixture.add("\(number % 2)", "\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(fixture.center.delivered().count == 2)
        #expect(Set(fixture.shownTitles) == Set(fixture.deliveredTitles))
    }

    // MARK: Outcomes

    @Test func n5_anAcceptedNotificationIsShown() async throws {
        let fixture = CenterFixture()
        let receipt = try await fixture.post("1", "hello")
        #expect(receipt.identifier == "1")
        #expect(await receipt.outcome == .accepted())
        #expect(await receipt.outcome == .accepted())
        #expect(fixture.shownTitles == ["hello"])
    }

    @Test func n5_aRefusalGivesAReasonAndIsListed() async throws {
        let fixture = CenterFixture(backend: ScriptedBackend(.refused("too many")))
        #expect(try await fixture.add("1", "hello") == .refused("too many"))
        #expect(fixture.deliveredTitles == ["hello"])
    }

    @Test func n5_aSilentBackendIsTimedOutAfterFiveSeconds() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(gate: gate)
        let fixture = CenterFixture(backend: backend)
        let receipt = try await fixture.post("1", "hello")
        _ = try await backend.calls.next()
        try await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(5))
        #expect(await receipt.outcome == .timedOut)
        gate.open()
    }

    /// A backend with the same timeout may report the timeout before the center does.
    @Test func n5_aBackendThatGivesUpAtTheLimitIsTimedOut() async throws {
        let gate = Gate()
        let backend = ScriptedBackend(.unavailable("no answer"), gate: gate)
        let clock = ManualNotificationClock()
        let center = UserNotificationCenter(
            application: .init(id: "org.example.Test", name: "Test"),
            backend: backend,
            messages: MessageCenter(),
            store: InMemoryNotificationStore(.granted),
            clock: StalledTimeoutClock(time: clock)
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
    func n6_textArrivesUnchanged(_ text: String) async throws {
        let fixture = CenterFixture()
        let content = UserNotificationContent(
            title: text,
            subtitle: text,
            body: text,
            userInfo: [text: "\(text)"]
        )
        let receipt = try await fixture.center.add(.init(identifier: "1", content: content))
        #expect(await receipt.outcome == .accepted())
        #expect(fixture.backend.shown.map(\.content) == [content])
        #expect(fixture.center.delivered().map(\.content) == [content])
    }

    // MARK: Responses

    @Test func n8_aDeliveredNotificationGivesOneResponse() async throws {
        let fixture = CenterFixture()
        _ = try await fixture.add("1")
        let id = try #require(fixture.backend.shown.first?.id)
        try fixture.backend.respond(to: "1", .open)
        fixture.center.removeAll()
        #expect(fixture.responses.messages.map(\.notification.id) == [id])
        #expect(fixture.center.delivered().isEmpty)
    }

    @Test func n8_oneOfManyConcurrentResponsesIsPosted() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1")
        let id = try #require(fixture.center.delivered().first?.id)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { backend.send(.responded(id, .open)) } }
        }
        #expect(fixture.responses.messages.count == 1)
    }

    @Test func n8_oneOfManyResponsesInTheListSucceeds() async throws {
        let fixture = CenterFixture()
        _ = try await fixture.add("1")
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? fixture.center.respond(to: "1")) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
        #expect(fixture.responses.messages.count == 1)
    }

    @Test func aSuppressedNotificationCanBeRespondedToInTheList() async throws {
        let fixture = CenterFixture()
        fixture.center.isInFront = true
        #expect(try await fixture.add("1") == .suppressed)
        #expect(throws: UserNotificationError.self) {
            try fixture.center.respond(to: "1", .custom("library"))
        }
        #expect(try fixture.center.respond(to: "1").action == .open)
        #expect(fixture.responses.messages.count == 1)
        #expect(throws: UserNotificationError.self) { try fixture.center.respond(to: "1") }
    }

    @Test func n8_aResponseClosesTheNotification() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1", "hello")
        let id = try #require(fixture.center.delivered().first?.id)
        backend.send(.responded(id, .open))
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls == ["show hello", "shown hello", "close 1"])
    }

    @Test func aResponseHasAnActionOfItsCategory() async throws {
        let fixture = CenterFixture()
        fixture.center.setCategories([Self.download])
        let content = UserNotificationContent(title: "", category: Self.download.identifier)
        _ = await (try fixture.center.add(.init(identifier: "1", content: content))).outcome
        #expect(fixture.backend.shown.first?.actions == Self.download.actions)
        #expect(throws: UserNotificationError.self) {
            try fixture.backend.respond(to: "1", .custom("delete"))
        }
        try fixture.backend.respond(to: "1", .custom("library"))
        #expect(fixture.responses.messages.map(\.action) == [.custom("library")])
    }

    @Test func aHandlerMayAddTheNotificationAgain() async throws {
        let fixture = CenterFixture()
        let again = Gate()
        let token = fixture.messages.observe(UserNotificationResponse.self) { response in
            Task {
                _ = try await fixture.add(response.notification.identifier, "again")
                again.open()
            }
        }
        _ = try await fixture.add("1", "first")
        try fixture.backend.respond(to: "1", .open)
        try await again.wait()
        token.cancel()
        #expect(fixture.deliveredTitles == ["again"])
        #expect(fixture.shownTitles == ["again"])
    }

    // MARK: In front

    @Test func n15_theProgramInFrontIsAsked() async throws {
        let fixture = CenterFixture()
        fixture.center.isInFront = true
        fixture.center.willPresent = { $0.content.title == "loud" ? [.banner, .sound] : [] }
        #expect(try await fixture.add("1", "loud") == .accepted())
        #expect(try await fixture.add("2", "quiet") == .suppressed)
        #expect(fixture.shownTitles == ["loud"])
        #expect(fixture.deliveredTitles == ["loud", "quiet"])
        #expect(fixture.center.delivered().map(\.presentation) == [[.banner, .sound], []])
    }

    @Test func n15_withoutAnAnswerANotificationIsSuppressedButListed() async throws {
        let fixture = CenterFixture()
        fixture.center.isInFront = true
        #expect(try await fixture.add("1", "hello") == .suppressed)
        #expect(fixture.deliveredTitles == ["hello"])
        #expect(fixture.backend.shown.isEmpty)
    }

    @Test func n15_willPresentHasOneSecond() async throws {
        let fixture = CenterFixture()
        let (asked, never) = (Gate(), Gate())
        fixture.center.isInFront = true
        fixture.center.willPresent = { _ in
            asked.open()
            // This handler ignores cancellation.
            await Task { try? await never.wait() }.value
            return .all
        }
        let receipt = try await fixture.post("1", "hello")
        try await asked.wait()
        // The two sleepers are the timeouts of the handler and of the receipt.
        try await fixture.clock.waitForSleepers(2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await receipt.outcome == .suppressed)
        #expect(fixture.deliveredTitles == ["hello"])
        never.open()
    }

    @Test func n15_aNotificationCanBeReplacedWhileTheProgramIsAsked() async throws {
        let fixture = CenterFixture()
        let (asked, answer) = (Gate(), Gate())
        fixture.center.isInFront = true
        fixture.center.willPresent = { notification in
            guard notification.content.title == "old" else { return .all }
            asked.open()
            try? await answer.wait()
            return .all
        }
        let old = try await fixture.post("1", "old")
        try await asked.wait()
        let new = try await fixture.post("1", "new")
        answer.open()
        #expect(await old.outcome == .replaced)
        #expect(await new.outcome == .accepted())
        #expect(fixture.deliveredTitles == ["new"])
    }

    @Test func n15_theProgramInTheBackgroundIsNotAsked() async throws {
        let fixture = CenterFixture()
        fixture.center.willPresent = { _ in [] }
        #expect(try await fixture.add("1") == .accepted())
    }

    @Test func n15_aSuppressedNotificationClosesTheReplacedOne() async throws {
        let fixture = CenterFixture()
        #expect(try await fixture.add("1", "old") == .accepted())
        fixture.center.isInFront = true
        #expect(try await fixture.add("1", "new") == .suppressed)
        #expect(fixture.shownTitles.isEmpty)
        #expect(fixture.deliveredTitles == ["new"])
    }

    // MARK: Badge and list

    @Test func n17_theBadgeIsNeverNegativeAndZeroClearsIt() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        for count in [3, -7, 2, 0] {
            fixture.center.setBadge(count)
            #expect(fixture.center.badge() == max(0, count))
            #expect(try await backend.calls.next().text == "badge \(max(0, count))")
        }
    }

    @Test func n17_aContentSetsTheBadge() async throws {
        let fixture = CenterFixture()
        for (badge, expected) in [(4, 4), (nil, 4), (-1, 0)] {
            let content = UserNotificationContent(title: "", badge: badge)
            _ = await (try fixture.center.add(.init(identifier: "1", content: content))).outcome
            #expect(fixture.center.badge() == expected)
        }
    }

    @Test func n17_theBadgeOfAContentIsShown() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        let content = UserNotificationContent(title: "1", badge: 4)
        _ = await (try fixture.center.add(.init(identifier: "1", content: content))).outcome
        _ = try await backend.calls.wait(until: { $0.contains(.init(text: "badge 4")) })
    }

    @Test func n17_theBadgeOfAnEarlierRunIsShownAgain() async throws {
        let store = InMemoryNotificationStore(.granted)
        try await store.update { $0.badge = 3 }
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend, store: store)
        fixture.center.start()
        #expect(try await backend.calls.next().text == "badge 3")
        fixture.center.setBadge(0)
        await fixture.center.flush()
        #expect(await store.read().badge == 0)
    }

    @Test func theBackendReleasesItsClosureOutsideItsLock() {
        final class LockUser: Sendable {
            let backend: UserNotificationInMemoryBackend
            init(_ backend: UserNotificationInMemoryBackend) { self.backend = backend }
            deinit { _ = backend.shown }
            func stay() {}
        }
        let backend = UserNotificationInMemoryBackend()
        do {
            let user = LockUser(backend)
            backend.start { _ in user.stay() }
        }
        backend.start { _ in }
        #expect(backend.shown.isEmpty)
    }

    @Test func readNotificationsAreCountedAndPosted() async throws {
        let fixture = CenterFixture()
        let changes = MessageRecorder(UserNotificationListChanged.self, on: fixture.messages)
        for identifier in ["1", "2", "3"] { _ = try await fixture.add(identifier) }
        fixture.center.markRead(["1"])
        #expect(fixture.center.unreadCount() == 2)
        fixture.center.markRead(["1"])
        fixture.center.markRead()
        fixture.center.remove(["2", "unknown"])
        #expect(fixture.center.delivered().map(\.identifier) == ["1", "3"])
        #expect(changes.messages.map(\.unreadCount) == [1, 2, 3, 2, 0, 0])
    }

    @Test func theLastPostedCountsAreTheNewest() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        let changes = MessageRecorder(UserNotificationListChanged.self, on: fixture.messages)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...50 {
                group.addTask {
                    _ = try await fixture.add("\(number)")
                    fixture.center.setBadge(number)
                }
            }
            try await group.waitForAll()
        }
        #expect(changes.messages.last?.unreadCount == 50)
        fixture.center.setBadge(0)
        while try await backend.calls.next().text != "badge 0" {}
        #expect(backend.calls.messages.last?.text == "badge 0")
    }

    @Test func aRemovalClosesTheNotification() async throws {
        let backend = ScriptedBackend()
        let fixture = CenterFixture(backend: backend)
        _ = try await fixture.add("1", "hello")
        fixture.center.removeAll()
        let calls = try await backend.calls.first(3).map(\.text)
        #expect(calls.last == "close 1")
        #expect(fixture.center.delivered().isEmpty)
    }

    @Test func theBackendDoesNotRetainTheCenter() async throws {
        let backend = ScriptedBackend()
        weak var center: UserNotificationCenter?
        do {
            let fixture = CenterFixture(backend: backend)
            center = fixture.center
            #expect(center != nil)
        }
        #expect(center == nil)
    }
}
