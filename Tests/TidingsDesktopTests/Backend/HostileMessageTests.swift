// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

/// What others on the bus can do to a program, and what its daemon can.
@Suite(.timeLimit(.minutes(5))) struct HostileMessageTests {
    private let a = NotificationDelivery(identifier: "a", number: 1)

    /// Bodies that a reader would need long for, or much room, or a deep stack.
    private static let bodies = [
        "(uint32 1, 'play', 'more')", "('1', 'play')", "(uint32 1,)", "(uint64 1, 'play')",
        "(uint32 1, <'play'>)", "[uint32 1, 2]", "()",
        "(uint32 1, \(String(repeating: "<", count: 60))1\(String(repeating: ">", count: 60)))",
        "(uint32 1, \(String(repeating: "[", count: 30))1\(String(repeating: "]", count: 30)))",
        "(uint32 1, '\(String(repeating: "a", count: 5_000_000))')",
        "(uint32 1, [\(String(repeating: "(1, 'a'), ", count: 100_000))(1, 'a')])",
    ]

    @Test func promise7_whatStrangersSendIsNotEvenRead() async throws {
        try await Stage.with { stage in
            await stage.show(.sample(actions: [.init("play", title: "Play")]))
            let us = try await stage.calls("Notify", count: 1)[0]["sender"]
            let before = await stage.signalsRead
            for body in Self.bodies + ["(uint32 1, 'play')"] {
                try await stage.emit("ActionInvoked", any: body, to: us, stranger: true)
            }
            try await stage.emit("ActionInvoked", [1, "default"])
            try await stage.events.wait(for: .responded(a, .open))
            #expect(await stage.signalsRead == before + 1)
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test func promise7_whatTheDaemonSendsWronglyDoesNoHarm() async throws {
        try await Stage.with { stage in
            await stage.show(.sample(actions: [.init("play", title: "Play")]))
            let before = await stage.signalsRead
            for body in Self.bodies {
                try await stage.emit("ActionInvoked", any: body)
                try await stage.emit("NotificationClosed", any: body)
            }
            try await stage.emit("ActionInvoked", [1, "play"])
            try await stage.events.wait(for: .responded(a, .custom("play")))
            // One has the right types, and is too large.
            #expect(await stage.signalsRead == before + 2)
            #expect(stage.events.aboutNotifications.count == 1)
        }
    }

    @Test func promise7_anAnswerOfSomebodyWhoWasNotAskedGivesNoNumber() async throws {
        try await Stage.with(["Notify": "hold"]) { stage in
            let shown = Task { await stage.show(.sample()) }
            let call = try await stage.calls("Notify", count: 1)[0]
            try await stage.tell([
                "do": "forge", "to": call["sender"], "serial": call["serial"],
                "text": "(uint32 77,)",
            ])
            #expect(await shown.value == .refused("Somebody else has answered."))
            try await stage.emit("ActionInvoked", [77, "default"])
            await stage.backend.close("a")
            try await stage.tell(["do": "set", "settings": ["Notify": "answer"]])
            #expect(await stage.show(.sample("b", 2)).isAccepted)
            #expect(stage.events.aboutNotifications.isEmpty)
            let calls = try await stage.tell(["do": "calls"])["calls"].elements
            #expect(!calls.contains { $0["method"].text == "CloseNotification" })
        }
    }

    @Test func anAnswerThatIsTooLargeIsNotReadToItsEnd() async throws {
        try await Stage.with(["padding": 5_000_000], limit: .seconds(2)) { stage in
            #expect(await stage.show(.sample()).isUnavailable)
            try await stage.tell(["do": "set", "settings": ["padding": 0]])
            #expect(await stage.show(.sample("a", 2)).isAccepted)
        }
    }
}

extension Stage {
    /// How many signals the backend's connection has read for their values.
    fileprivate var signalsRead: Int {
        get async { await (backend.route as? DesktopSession)?.signalsRead ?? -1 }
    }

    /// Has the daemon, or somebody else, send a signal with any values.
    fileprivate func emit(
        _ signal: String,
        any text: String,
        to receiver: JSON = .null,
        stranger: Bool = false
    ) async throws {
        try await tell([
            "do": "emit_any", "signal": .string(signal), "text": .string(text), "to": receiver,
            "stranger": .bool(stranger),
        ])
    }
}

extension DesktopSession {
    fileprivate var signalsRead: Int { connection?.signalsRead ?? -1 }
}
