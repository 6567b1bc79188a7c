// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct RestoreTests {
    @Test func promise10_aLaterRunHearsOfWhatAnEarlierOneHasShown() async throws {
        try await Stage.with { stage in
            let notification = UserNotification.sample("a", 1, actions: [.init("x", title: "X")])
            let handle = try #require(await stage.show(notification).handle)
            let later = await Stage(stage.desktop)
            let kept = await later.backend.restore([
                .init(notification: notification, handle: handle)
            ])
            #expect(kept == [notification.id: handle])
            let posts = try await stage.calls("Notify", count: 2)
            #expect(posts[1]["arguments"][1].integer == 1)
            #expect(posts[0]["sender"] != posts[1]["sender"])
            // Only to its last poster, as some daemons do.
            try await stage.emit("ActionInvoked", [1, "x"], to: posts[1]["sender"])
            try await later.events.wait(for: .responded(notification.id, .custom("x")))
        }
    }

    @Test func promise10_afterADaemonsRestartNothingIsLeftToClaim() async throws {
        try await Stage.with { stage in
            let notification = UserNotification.sample()
            let handle = try #require(await stage.show(notification).handle)
            try await stage.desktop.call("end", ["what": "fake"])
            try await stage.desktop.call("fake")
            let later = await Stage(stage.desktop)
            #expect(
                await later.backend.restore([.init(notification: notification, handle: handle)])
                    == [:]
            )
            let calls = try await stage.tell(["do": "calls"])["calls"].elements
            #expect(
                calls.allSatisfy { !["Notify", "CloseNotification"].contains($0["method"].text) }
            )
        }
    }

    /// Shows some and returns them as the next run has them in its store.
    private func show(_ count: Int, on stage: Stage) async throws -> [ShownNotification] {
        var shown: [ShownNotification] = []
        for number in 1...count {
            let notification = UserNotification.sample("id-\(number)", number)
            let handle = try #require(await stage.show(notification).handle)
            shown.append(ShownNotification(notification: notification, handle: handle))
        }
        return shown
    }

    @Test func promise10_allAreClaimedBeforeAnyIsAnswered() async throws {
        try await Stage.with { stage in
            let shown = try await show(20, on: stage)
            try await stage.tell(["do": "set", "settings": ["Notify": "hold"]])
            let later = await Stage(stage.desktop)
            let kept = Task { await later.backend.restore(shown) }
            let calls = try await stage.calls("Notify", count: 40).dropFirst(20)
            #expect(Set(calls.map { $0["arguments"][1].integer }) == Set(1...20))
            try await stage.tell(["do": "release"])
            #expect(await kept.value.count == 20)
        }
    }

    @Test(arguments: ["Notify", "GetCapabilities"])
    func promise10_aDaemonThatFallsSilentCostsAllOfThemOneLimit(_ method: String) async throws {
        try await Stage.with(["server": "dunst"]) { stage in
            let shown = try await show(20, on: stage)
            try await stage.tell(["do": "set", "settings": [method: "silent"]])
            let later = await Stage(stage.desktop, limit: .seconds(3))
            let start = ContinuousClock.now
            #expect(await later.backend.restore(shown).isEmpty)
            // One limit for each would be a minute.
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test func promise10_aStoppedDaemonCostsAllOfThemOneLimit() async throws {
        try await Stage.with { stage in
            let shown = try await show(20, on: stage)
            let later = await Stage(stage.desktop, limit: .seconds(3))
            await (later.backend.route as? DesktopSession)?.wait { $0.daemon?.traits != nil }
            try await stage.desktop.call("kill", ["what": "fake", "signal": "STOP"])
            let start = ContinuousClock.now
            #expect(await later.backend.restore(shown).isEmpty)
            #expect(ContinuousClock.now - start < .seconds(30))
            try await stage.desktop.call("kill", ["what": "fake", "signal": "CONT"])
            // What it takes over late is the place of the next with that identifier.
            #expect(await later.show(.sample("id-7", 21)).isAccepted)
            let last = try await stage.calls("Notify", count: 41)[40]
            #expect(last["arguments"][1].integer == 7)
        }
    }

    @Test func promise10_whatDunstHasInItsHistoryIsNotShownAgain() async throws {
        try await Stage.with(["server": "dunst", "history": [1]]) { stage in
            let (first, second) = (UserNotification.sample("a", 1), UserNotification.sample("b", 2))
            let handles = [
                try #require(await stage.show(first).handle),
                try #require(await stage.show(second).handle),
            ]
            let later = await Stage(stage.desktop)
            let kept = await later.backend.restore([
                .init(notification: first, handle: handles[0]),
                .init(notification: second, handle: handles[1]),
            ])
            #expect(kept == [second.id: handles[1]])
        }
    }
}
