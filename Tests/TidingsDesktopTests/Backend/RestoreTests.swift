// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct RestoreTests {
    @Test func n10_aLaterRunGetsResponsesToAnEarlierRunsNotifications() async throws {
        try await BackendFixture.with { fixture in
            let notification = UserNotification.sample("a", 1, actions: [.init("x", title: "X")])
            let handle = try #require(await fixture.show(notification).handle)
            let later = await BackendFixture(fixture.desktop)
            let kept = await later.backend.restore([
                .init(notification: notification, handle: handle)
            ])
            #expect(kept == [notification.id: handle])
            let posts = try await fixture.calls("Notify", count: 2)
            #expect(posts[1]["arguments"][1].integer == 1)
            #expect(posts[0]["sender"] != posts[1]["sender"])
            // Some daemons send signals only to the last sender.
            try await fixture.emit("ActionInvoked", [1, "x"], to: posts[1]["sender"])
            try await later.events.wait(for: .responded(notification.id, .custom("x")))
        }
    }

    @Test func n10_afterADaemonRestartNothingIsLeftToClaim() async throws {
        try await BackendFixture.with { fixture in
            let notification = UserNotification.sample()
            let handle = try #require(await fixture.show(notification).handle)
            try await fixture.desktop.call("end", ["what": "fake"])
            try await fixture.desktop.call("fake")
            let later = await BackendFixture(fixture.desktop)
            #expect(
                await later.backend.restore([.init(notification: notification, handle: handle)])
                    == [:]
            )
            let calls = try await fixture.command(["do": "calls"])["calls"].elements
            #expect(
                calls.allSatisfy { !["Notify", "CloseNotification"].contains($0["method"].text) }
            )
        }
    }

    /// Shows notifications and returns the contents of the next run's store.
    private func show(_ count: Int, on fixture: BackendFixture) async throws -> [ShownNotification]
    {
        var shown: [ShownNotification] = []
        for number in 1...count {
            let notification = UserNotification.sample("id-\(number)", number)
            let handle = try #require(await fixture.show(notification).handle)
            shown.append(ShownNotification(notification: notification, handle: handle))
        }
        return shown
    }

    @Test func n10_allClaimsAreSentBeforeTheFirstReply() async throws {
        try await BackendFixture.with { fixture in
            let shown = try await show(20, on: fixture)
            try await fixture.command(["do": "set", "settings": ["Notify": "hold"]])
            let later = await BackendFixture(fixture.desktop)
            let kept = Task { await later.backend.restore(shown) }
            let calls = try await fixture.calls("Notify", count: 40).dropFirst(20)
            #expect(Set(calls.map { $0["arguments"][1].integer }) == Set(1...20))
            try await fixture.command(["do": "release"])
            #expect(await kept.value.count == 20)
        }
    }

    /// The number of notifications in tests of the limit.
    ///
    /// One limit of ten seconds for each notification would exceed the time limit of the suite.
    private static let many = 40

    @Test(arguments: ["Notify", "GetCapabilities"])
    func n10_anUnresponsiveDaemonCostsAllClaimsOneLimit(_ method: String) async throws {
        try await BackendFixture.with(["server": "dunst"]) { fixture in
            let shown = try await show(Self.many, on: fixture)
            try await fixture.command(["do": "set", "settings": [method: "silent"]])
            let later = await BackendFixture(fixture.desktop, limit: .seconds(30))
            #expect(await later.backend.restore(shown).isEmpty)
        }
    }

    @Test func n10_aStoppedDaemonCostsAllClaimsOneLimit() async throws {
        try await BackendFixture.with { fixture in
            let shown = try await show(Self.many, on: fixture)
            let later = await BackendFixture(fixture.desktop, limit: .seconds(30))
            await (later.backend.session as? DesktopSession)?
                .wait { $0.daemon?.capabilities != nil }
            try await fixture.desktop.call("kill", ["what": "fake", "signal": "STOP"])
            #expect(await later.backend.restore(shown).isEmpty)
            try await fixture.desktop.call("kill", ["what": "fake", "signal": "CONT"])
            // The next post with that identifier replaces the notification that was claimed late.
            #expect(await later.show(.sample("id-7", Self.many + 1)).isAccepted)
            let calls = try await fixture.calls("Notify", count: 2 * Self.many + 1)
            let last = try #require(calls.last)
            #expect(last["arguments"][1].integer == 7)
        }
    }

    @Test func n10_notificationsInDunstsHistoryAreNotShownAgain() async throws {
        try await BackendFixture.with(["server": "dunst", "history": [1]]) { fixture in
            let (first, second) = (UserNotification.sample("a", 1), UserNotification.sample("b", 2))
            let handles = [
                try #require(await fixture.show(first).handle),
                try #require(await fixture.show(second).handle),
            ]
            let later = await BackendFixture(fixture.desktop)
            let kept = await later.backend.restore([
                .init(notification: first, handle: handles[0]),
                .init(notification: second, handle: handles[1]),
            ])
            #expect(kept == [second.id: handles[1]])
        }
    }
}
