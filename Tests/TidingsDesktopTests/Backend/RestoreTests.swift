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
