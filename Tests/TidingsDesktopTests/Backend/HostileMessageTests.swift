// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

/// Hostile messages from other clients of the bus and from the daemon.
@Suite(.timeLimit(.minutes(15))) struct HostileMessageTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    /// Bodies with wrong types, or bodies that would cost a reader much time, memory or stack.
    private static let bodies = [
        "(uint32 1, 'play', 'more')", "('1', 'play')", "(uint32 1,)", "(uint64 1, 'play')",
        "(uint32 1, <'play'>)", "[uint32 1, 2]", "()",
        "(uint32 1, \(String(repeating: "<", count: 60))1\(String(repeating: ">", count: 60)))",
        "(uint32 1, \(String(repeating: "[", count: 30))1\(String(repeating: "]", count: 30)))",
        "(uint32 1, '\(String(repeating: "a", count: 5_000_000))')",
        "(uint32 1, [\(String(repeating: "(1, 'a'), ", count: 100_000))(1, 'a')])",
    ]

    @Test func n7_messagesOfStrangersAreNotRead() async throws {
        try await BackendFixture.with { fixture in
            await fixture.show(.sample(actions: [.init("play", title: "Play")]))
            let us = try await fixture.calls("Notify", count: 1)[0]["sender"]
            let before = await fixture.signalsRead
            for body in Self.bodies + ["(uint32 1, 'play')"] {
                try await fixture.emit("ActionInvoked", any: body, to: us, stranger: true)
            }
            try await fixture.emit("ActionInvoked", [1, "default"])
            try await fixture.events.wait(for: .responded(a, .open))
            #expect(await fixture.signalsRead == before + 1)
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test func n7_malformedSignalsOfTheDaemonAreIgnored() async throws {
        try await BackendFixture.with { fixture in
            await fixture.show(.sample(actions: [.init("play", title: "Play")]))
            let before = await fixture.signalsRead
            for body in Self.bodies {
                try await fixture.emit("ActionInvoked", any: body)
                try await fixture.emit("NotificationClosed", any: body)
            }
            try await fixture.emit("ActionInvoked", [1, "play"])
            try await fixture.events.wait(for: .responded(a, .custom("play")))
            // The valid signal was read, and one body that has the right types but is too large.
            #expect(await fixture.signalsRead == before + 2)
            #expect(fixture.events.aboutNotifications.count == 1)
        }
    }

    @Test func n7_aForgedReplyGivesNoID() async throws {
        try await BackendFixture.with(["Notify": "hold"]) { fixture in
            let shown = Task { await fixture.show(.sample()) }
            let call = try await fixture.calls("Notify", count: 1)[0]
            try await fixture.command([
                "do": "forge", "to": call["sender"], "serial": call["serial"],
                "text": "(uint32 77,)",
            ])
            #expect(await shown.value == .refused("The reply came from another sender."))
            try await fixture.emit("ActionInvoked", [77, "default"])
            await fixture.backend.close("a")
            try await fixture.command(["do": "set", "settings": ["Notify": "answer"]])
            #expect(await fixture.show(.sample("b", 2)).isAccepted)
            #expect(fixture.events.aboutNotifications.isEmpty)
            let calls = try await fixture.command(["do": "calls"])["calls"].elements
            #expect(!calls.contains { $0["method"].text == "CloseNotification" })
        }
    }

    @Test func aReplyThatIsTooLargeIsNotReadCompletely() async throws {
        try await BackendFixture.with(["padding": 5_000_000], limit: .seconds(30)) { fixture in
            #expect(await fixture.show(.sample()).isUnavailable)
            try await fixture.command(["do": "set", "settings": ["padding": 0]])
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
        }
    }
}

extension BackendFixture {
    /// The number of signals whose values the backend's connection has read.
    fileprivate var signalsRead: Int {
        get async { await (backend.session as? DesktopSession)?.signalsRead ?? -1 }
    }

    /// Sends a signal with any values, from the daemon or from another client.
    fileprivate func emit(
        _ signal: String,
        any text: String,
        to receiver: JSON = .null,
        stranger: Bool = false
    ) async throws {
        try await command([
            "do": "emit_any", "signal": .string(signal), "text": .string(text), "to": receiver,
            "stranger": .bool(stranger),
        ])
    }
}

extension DesktopSession {
    fileprivate var signalsRead: Int { connection?.signalsRead ?? -1 }
}
