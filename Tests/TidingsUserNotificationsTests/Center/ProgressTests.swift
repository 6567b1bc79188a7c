// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting
import TidingsUserNotifications
import TidingsUserNotificationsTesting

@Suite(.timeLimit(.minutes(15)))
struct ProgressTests {
    private let backend = ScriptedBackend()
    private let fixture: CenterFixture

    init() {
        fixture = CenterFixture(backend: backend)
    }

    private var shown: [String] {
        backend.calls.messages.map(\.text).filter { $0.hasPrefix("shown") }
    }

    private func post(_ progress: Double?) async throws -> UserNotificationReceipt {
        var content = UserNotificationContent(title: progress.map { "\($0)" } ?? "done")
        content.progress = progress
        return try await fixture.center.add(.init(identifier: "1", content: content))
    }

    @Test func n23_progressMovesAtMostFourTimesASecond() async throws {
        #expect(await (try post(0)).outcome == .accepted())
        // The two sleepers are the pause and the timeout of outcomes.
        try await fixture.clock.waitForSleepers(2)
        let first = try await post(0.1)
        let second = try await post(0.2)
        #expect(await first.outcome == .replaced)
        fixture.clock.advance(by: .milliseconds(249))
        // After the end of the pause, another pause would have started by now.
        try await fixture.clock.waitForSleepers(2)
        #expect(shown == ["shown 0.0"])
        let newest = try await post(0.3)
        #expect(await second.outcome == .replaced)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(await newest.outcome == .accepted())
        #expect(shown == ["shown 0.0", "shown 0.3"])
    }

    @Test func onlyProgressWaits() async throws {
        for _ in 0..<3 { #expect(await (try post(nil)).outcome == .accepted()) }
        #expect(shown == ["shown done", "shown done", "shown done"])
    }

    @Test(arguments: [-1, -0.0, 0.5, 1, 2, .infinity, .nan] as [Double])
    func progressIsFromZeroToOne(_ progress: Double) throws {
        var content = UserNotificationContent(title: "")
        content.progress = progress
        let expected = progress > 0 ? min(progress, 1) : 0
        #expect(content.progress == expected)
        content.progress = nil
        #expect(content.progress == nil)
    }

    @Test func n23_aContentHasActionsWithoutACategory() async throws {
        let fixture = CenterFixture()
        let category = UserNotificationCategory("c", actions: [.init("a", title: "A")])
        fixture.center.setCategories([category])
        for (identifier, category, actions, titles) in [
            ("1", nil, [UserNotificationAction("b", title: "B")], ["B"]),
            ("2", "c", [UserNotificationAction("b", title: "B")], ["B"]),
            ("3", "c", [], []), ("4", "c", nil, ["A"]), ("5", nil, nil, []),
        ] as [(String, String?, [UserNotificationAction]?, [String])] {
            var content = UserNotificationContent(title: identifier, category: category)
            content.actions = actions
            _ = await (try fixture.center.add(.init(identifier: identifier, content: content)))
                .outcome
            #expect(fixture.backend.shown.last?.actions.map(\.title) == titles)
        }
        try fixture.backend.respond(to: "1", .custom("b"))
        #expect(fixture.responses.messages.map(\.action) == [.custom("b")])
    }
}
