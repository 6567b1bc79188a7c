// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct PortalTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    private func withPortal(
        version: Int = 1,
        options: JSON = [:],
        onActivate: (@Sendable (String?) -> Void)? = nil,
        before: @Sendable (Desktop) async throws -> Void = { _ in },
        _ body: @Sendable (BackendFixture) async throws -> Void
    ) async throws {
        let settings: JSON = [
            "portal": true, "portal_version": .number(Double(version)), "portal_options": options,
        ]
        try await Desktop.with { desktop in
            try await desktop.call("fake", ["settings": settings])
            try await before(desktop)
            try await body(
                await BackendFixture(desktop, isSandboxed: true, onActivate: onActivate)
            )
        }
    }

    @Test func onlyASandboxUsesThePortal() {
        #expect(Sandbox.isPresent(environment: { _ in nil }, exists: { $0 == "/.flatpak-info" }))
        #expect(Sandbox.isPresent(environment: { _ in "films" }, exists: { _ in false }))
        #expect(!Sandbox.isPresent(environment: { _ in nil }, exists: { _ in false }))
        #expect(
            !Sandbox.isPresent(
                environment: { $0 == "SNAP" ? "/snap" : nil },
                exists: { _ in false }
            )
        )
    }

    @Test func thePortalGetsOnlyTheEntriesOfItsFirstVersion() async throws {
        try await withPortal { fixture in
            let notification = UserNotification.sample(
                title: "T & T",
                body: "b",
                actions: [.init("play", title: "Play")]
            ) {
                $0.level = .critical
                $0.sound = .default
            }
            let result = await fixture.show(notification)
            guard case .accepted(.sound, _?) = result else {
                Issue.record("\(result)")
                return
            }
            let text = try await fixture.calls("AddNotification", count: 1)[0]["text"].text
            #expect(
                text == """
                    ('org.example.Films/a', {'body': <'b'>, \
                    'buttons': <[{'action': <'play'>, 'label': <'Play'>}]>, \
                    'default-action': <'default'>, 'priority': <'urgent'>, 'title': <'T & T'>})
                    """
            )
        }
    }

    @Test func n24_onlyTheOwnerOfTheNameGetsResponsesByIt() async throws {
        let other = BusClient()
        let name = BusValue.string("org.example.Films")
        let take: @Sendable (Desktop) async throws -> Void = { desktop in
            try await other.connect(await desktop.address)
            let reply = try await other.call(.bus("RequestName", [name, .uint32(0)]))
            #expect(reply.body == [.uint32(1)])
        }
        let activate: @Sendable (String?) -> Void = { _ in }
        try await withPortal(onActivate: activate, before: take) { fixture in
            let actions = [UserNotificationAction("play", title: "Play")]
            await fixture.show(.sample(actions: actions))
            let first = try await fixture.calls("AddNotification", count: 1)[0]["text"].text
            #expect(first.contains("'default-action': <'default'>"))
            #expect(first.contains("{'action': <'play'>"))
            try await fixture.command([
                "do": "emit_portal", "id": "org.example.Films/a", "action": "play",
                "token": true,
            ])
            try await fixture.events.wait(
                for: .responded(a, .custom("play"), activationToken: "tok")
            )
            await fixture.show(.sample("b", 2))
            _ = try await other.call(.bus("ReleaseName", [name]))
            // The reply to this call comes after the name.
            await fixture.backend.close("b")
            await fixture.show(.sample("c", 3, actions: actions))
            let last = try await fixture.calls("AddNotification", count: 3)[2]["text"].text
            #expect(last.contains("'default-action': <'app.tidings-response'>"))
            #expect(last.contains("{'action': <'app.tidings-response'>"))
        }
    }

    private static let old: JSON = [:]
    private static let new: JSON = ["category": ["im.received"]]
    private static let bodies = [(1, old, true), (2, old, true), (2, new, false)]

    @Test(arguments: bodies)
    func n6_aBodyIsNeverMarkupInThePortal(
        _ version: Int,
        _ options: JSON,
        _ mayReadMarkup: Bool
    ) async throws {
        try await withPortal(version: version, options: options) { fixture in
            let text = "<b>a & b</b> &lt; \"x\" 'y'\n🦊 שלום"
            let lookalike = "＜b>a ＆ b＜/b> ＆lt; \"x\" 'y'\n🦊 שלום"
            let result = await fixture.show(.sample(body: text))
            guard case .accepted(let degraded, _?) = result else {
                Issue.record("\(result)")
                return
            }
            let sent = try await fixture.calls("AddNotification", count: 1)[0]["arguments"]
            #expect(sent[1]["body"].text == (mayReadMarkup ? lookalike : text))
            #expect(degraded == (mayReadMarkup ? .body : []))
            let harmless = await fixture.show(.sample("b", 2, body: "a > \"b\""))
            guard case .accepted([], _?) = harmless else {
                Issue.record("\(harmless)")
                return
            }
        }
    }

    @Test func n8_theFirstResponseRemovesTheNotification() async throws {
        try await withPortal { fixture in
            await fixture.show(.sample(actions: [.init("play", title: "Play")]))
            for (id, action) in [
                ("other/a", "play"), ("org.example.Films/b", "play"), ("org.example.Films/a", "x"),
                ("org.example.Films/a", "play"), ("org.example.Films/a", "default"),
            ] {
                try await fixture.command([
                    "do": "emit_portal", "id": .string(id), "action": .string(action),
                    "token": true,
                ])
            }
            try await fixture.events.wait(
                for: .responded(a, .custom("play"), activationToken: "tok")
            )
            let removed = try await fixture.calls("RemoveNotification", count: 1)
            #expect(removed[0]["arguments"][0].text == "org.example.Films/a")
            await fixture.show(.sample("b", 2))
            await fixture.backend.close("b")
            await fixture.backend.close("b")
            let all = try await fixture.calls("RemoveNotification", count: 2)
            #expect(all.count == 2)
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test func n7_portalSignalsOfStrangersDoNotCount() async throws {
        try await withPortal { fixture in
            await fixture.show(.sample(actions: [.init("play", title: "Play")]))
            let us = try await fixture.calls("AddNotification", count: 1)[0]["sender"]
            for isStranger in [true, false] {
                for receiver in isStranger ? [.null, us] : [us] {
                    try await fixture.command([
                        "do": "emit_portal", "id": "org.example.Films/a", "to": receiver,
                        "action": isStranger ? "default" : "play", "stranger": .bool(isStranger),
                    ])
                }
            }
            try await fixture.events.wait(for: .responded(a, .custom("play")))
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test func n4_oneIdentifierIsOneNameInThePortal() async throws {
        try await withPortal { fixture in
            await withTaskGroup { group in
                for number in 1...20 {
                    group.addTask { await fixture.show(.sample("a", number)) }
                }
            }
            let calls = try await fixture.calls("AddNotification", count: 20)
            #expect(Set(calls.map { $0["arguments"][0].text }) == ["org.example.Films/a"])
        }
    }

    @Test func n9_aNewPortalVoidsAllNotifications() async throws {
        try await withPortal { fixture in
            let handle = try #require(await fixture.show(.sample()).handle)
            let later = await BackendFixture(fixture.desktop, isSandboxed: true)
            let shown = ShownNotification(notification: .sample(), handle: handle)
            #expect(await later.backend.restore([shown]) == [a: handle])
            try await fixture.desktop.call("end", ["what": "fake"])
            try await fixture.events.wait(for: .closed(a, .unknown))
            #expect(await fixture.show(.sample("a", 2)).isUnavailable)
            #expect(await fixture.backend.availability() != .available)
            try await fixture.desktop.call("fake", ["settings": ["portal": true]])
            #expect(await fixture.show(.sample("a", 3)).isAccepted)
            #expect(await later.backend.restore([shown]) == [:])
            try await fixture.command([
                "do": "emit_portal", "id": "org.example.Films/a", "action": "default",
            ])
            // The reply arrives after the signal.
            await later.show(.sample("b", 4))
            #expect(later.events.aboutNotifications == [.closed(a, .unknown)])
        }
    }

    @Test func n22_theStatusFollowsThePortal() async throws {
        try await withPortal { fixture in
            #expect(await fixture.backend.availability() == .available)
            try await fixture.desktop.call("end", ["what": "fake"])
            try await fixture.events.wait(
                for: .availabilityChanged(.unavailable("The desktop portal is not running."))
            )
            try await fixture.desktop.call("fake", ["settings": ["portal": true]])
            try await fixture.events.wait(for: .availabilityChanged(.available))
        }
    }

    @Test func n22_thePortalDrawsNoBubbleOfAListedNotification() async throws {
        try await withPortal { fixture in
            await fixture.show(.sample("a", 1))
            let result = await fixture.show(.sample("a", 2, presentation: .list))
            #expect(result == .accepted(degraded: .list))
            _ = try await fixture.calls("RemoveNotification", count: 1)
            await fixture.show(.sample("b", 3))
            #expect(try await fixture.calls("AddNotification", count: 2).count == 2)
        }
    }

    @Test func aRefusalAndAMissingBusAreResults() async throws {
        try await withPortal { fixture in
            let error: JSON = ["AddNotification": "error org.example.Error no"]
            try await fixture.command(["do": "set", "settings": error])
            #expect(await fixture.show(.sample()) == .refused("no"))
            let nowhere = BackendFixture(fixture.desktop, address: nil, isSandboxed: true)
            #expect(await nowhere.show(.sample()).isUnavailable)
        }
    }
}
