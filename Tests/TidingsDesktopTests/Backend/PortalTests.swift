// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct PortalTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    private func withPortal(_ body: @Sendable (Stage) async throws -> Void) async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake", ["settings": ["portal": true]])
            try await body(await Stage(desktop, isSandboxed: true))
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

    @Test func thePortalGetsOnlyWhatItsFirstVersionKnows() async throws {
        try await withPortal { stage in
            let notification = UserNotification.sample(
                title: "T & T",
                body: "<b>",
                actions: [.init("play", title: "Play")]
            ) {
                $0.level = .critical
                $0.sound = .default
            }
            let result = await stage.show(notification)
            guard case .accepted(.sound, _?) = result else {
                Issue.record("\(result)")
                return
            }
            let text = try await stage.calls("AddNotification", count: 1)[0]["text"].text
            #expect(
                text == """
                    ('org.example.Films/a', {'body': <'<b>'>, \
                    'buttons': <[{'action': <'play'>, 'label': <'Play'>}]>, \
                    'default-action': <'default'>, 'priority': <'urgent'>, 'title': <'T & T'>})
                    """
            )
        }
    }

    @Test func promise8_oneResponseAndItIsTakenAway() async throws {
        try await withPortal { stage in
            await stage.show(.sample(actions: [.init("play", title: "Play")]))
            for (id, action) in [
                ("other/a", "play"), ("org.example.Films/b", "play"), ("org.example.Films/a", "x"),
                ("org.example.Films/a", "play"), ("org.example.Films/a", "default"),
            ] {
                try await stage.tell([
                    "do": "emit_portal", "id": .string(id), "action": .string(action),
                    "token": true,
                ])
            }
            try await stage.events.wait(
                for: .responded(a, .custom("play"), activationToken: "tok")
            )
            let removed = try await stage.calls("RemoveNotification", count: 1)
            #expect(removed[0]["arguments"][0].text == "org.example.Films/a")
            await stage.show(.sample("b", 2))
            await stage.backend.close("b")
            await stage.backend.close("b")
            let all = try await stage.calls("RemoveNotification", count: 2)
            #expect(all.count == 2)
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test func promise7_whatStrangersSayInThePortalsPlaceDoesNotCount() async throws {
        try await withPortal { stage in
            await stage.show(.sample(actions: [.init("play", title: "Play")]))
            let us = try await stage.calls("AddNotification", count: 1)[0]["sender"]
            for isStranger in [true, false] {
                for receiver in isStranger ? [.null, us] : [us] {
                    try await stage.tell([
                        "do": "emit_portal", "id": "org.example.Films/a", "to": receiver,
                        "action": isStranger ? "default" : "play", "stranger": .bool(isStranger),
                    ])
                }
            }
            try await stage.events.wait(for: .responded(a, .custom("play")))
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test func promise4_oneIdentifierIsOneNameInThePortal() async throws {
        try await withPortal { stage in
            await withTaskGroup { group in
                for number in 1...20 {
                    group.addTask { await stage.show(.sample("a", number)) }
                }
            }
            let calls = try await stage.calls("AddNotification", count: 20)
            #expect(Set(calls.map { $0["arguments"][0].text }) == ["org.example.Films/a"])
        }
    }

    @Test func promise9_anotherPortalKnowsNothingOfWhatWasShown() async throws {
        try await withPortal { stage in
            let handle = try #require(await stage.show(.sample()).handle)
            let later = await Stage(stage.desktop, isSandboxed: true)
            let shown = ShownNotification(notification: .sample(), handle: handle)
            #expect(await later.backend.restore([shown]) == [a: handle])
            try await stage.desktop.call("end", ["what": "fake"])
            try await stage.events.wait(for: .closed(a, .unknown))
            #expect(await stage.show(.sample("a", 2)).isUnavailable)
            #expect(await stage.backend.availability() != .available)
            try await stage.desktop.call("fake", ["settings": ["portal": true]])
            #expect(await stage.show(.sample("a", 3)).isAccepted)
            #expect(await later.backend.restore([shown]) == [:])
            try await stage.tell([
                "do": "emit_portal", "id": "org.example.Films/a", "action": "default",
            ])
            // Its answer comes after the signal.
            await later.show(.sample("b", 4))
            #expect(later.events.aboutNotifications == [.closed(a, .unknown)])
        }
    }

    @Test func aRefusalAndAMissingBusAreValues() async throws {
        try await withPortal { stage in
            let error: JSON = ["AddNotification": "error org.example.Error no"]
            try await stage.tell(["do": "set", "settings": error])
            #expect(await stage.show(.sample()) == .refused("no"))
            let nowhere = Stage(stage.desktop, address: nil, isSandboxed: true)
            #expect(await nowhere.show(.sample()).isUnavailable)
        }
    }
}
