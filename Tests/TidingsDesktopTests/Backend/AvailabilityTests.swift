// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct AvailabilityTests {
    @Test func promise2_withoutABusEverythingAnswersWhy() async throws {
        try await Desktop.with(bus: nil) { desktop in
            for address in [nil, "unix:path=/nonexistent/bus", "nonsense"] {
                let stage = Stage(desktop, address: address)
                #expect(await stage.backend.availability() != .available)
                #expect(await stage.show(.sample()).isUnavailable)
                await stage.backend.close("a")
                await stage.backend.setBadge(1)
                #expect(await stage.backend.restore([]).isEmpty)
            }
        }
    }

    @Test func promise2_withoutADaemonItIsUnavailableUntilOneComes() async throws {
        try await Stage.with(nil) { stage in
            #expect(await stage.backend.availability() != .available)
            #expect(await stage.show(.sample()).isUnavailable)
            try await stage.desktop.call("fake")
            try await stage.events.wait(for: .availabilityChanged(.available))
            #expect(await stage.show(.sample("a", 2)).isAccepted)
            try await stage.desktop.call("end", ["what": "fake"])
            try await stage.events.wait { $0.last != .availabilityChanged(.available) }
            #expect(await stage.backend.availability() != .available)
        }
    }

    @Test func promise2_whoCanBeStartedIsStartedByTheFirstPost() async throws {
        try await Stage.with(nil, bus: ["service": "FAKE"]) { stage in
            #expect(await stage.backend.availability() == .available)
            #expect(await stage.show(.sample()).isAccepted)
        }
    }

    @Test(arguments: ["/bin/false", "/nonexistent/daemon"])
    func promise2_aBrokenStartIsNotWaitedFor(_ program: String) async throws {
        try await Stage.with(nil, bus: ["service": program]) { stage in
            #expect(await stage.backend.availability() == .available)
            guard case .unavailable(let reason) = await stage.show(.sample()) else {
                Issue.record("shown by nobody")
                return
            }
            #expect(reason.contains("cannot be started"))
            #expect(await stage.backend.availability() == .unavailable(reason))
        }
    }

    /// Started by the bus, it notes that and then does not do what it should.
    private static func program(_ rest: String) -> [String: String] {
        ["service": "/bin/sh -c \"echo started >> FOLDER/starts; \(rest)\""]
    }

    /// Until the desktop has gone.
    private static let hanging = "while test -e FOLDER; do sleep 1; done"

    private func starts(_ stage: Stage) async throws -> Int {
        let output = try await stage.desktop.call(
            "run",
            ["argv": ["sh", "-c", "cat $HOME/starts"]]
        )["output"]
        return output.text.split(separator: "\n").count { $0 == "started" }
    }

    @Test(arguments: [hanging, "exit 0", "exit 1"])
    func promise2_aStartThatHangsOrFailsIsNotRepeatedByEachPost(_ rest: String) async throws {
        let limit = Duration.seconds(rest == "exit 1" ? 120 : 2)
        try await Stage.with(nil, bus: Self.program(rest), limit: limit) { stage in
            // They share one wait.
            await withTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { await stage.show(.sample("\(number)")) }
                }
                for await result in group { #expect(result.isUnavailable) }
            }
            let start = ContinuousClock.now
            for number in 20..<120 {
                #expect(await stage.show(.sample("\(number)")).isUnavailable)
                #expect(await stage.backend.availability() != .available)
            }
            // One limit for each would be over three minutes.
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(try await starts(stage) == 1)
            try await stage.desktop.call("fake")
            try await stage.events.wait { $0.last == .availabilityChanged(.available) }
            #expect(await stage.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func promise2_aPortalThatHangsIsNotStartedByEachPost() async throws {
        var bus = Self.program(Self.hanging)
        bus["starts"] = PortalSession.name
        try await Desktop.with(bus: bus) { desktop in
            let stage = await Stage(desktop, limit: .seconds(2), isSandboxed: true)
            #expect(await stage.show(.sample()).isUnavailable)
            let start = ContinuousClock.now
            for number in 0..<100 {
                #expect(await stage.show(.sample("\(number)")).isUnavailable)
                #expect(await stage.backend.availability() != .available)
            }
            // One limit for each would be over three minutes.
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(try await starts(stage) == 1)
            try await desktop.call("fake", ["settings": ["portal": true]])
            #expect(await stage.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func promise2_aStartThatHasFailedIsTriedAgainAfterAWhile() async throws {
        let pause = Duration.milliseconds(1)
        try await Stage.with(nil, bus: Self.program("exit 1"), startPause: pause) { stage in
            var tries = 0
            while tries < 1000, try await starts(stage) < 3 {
                tries += 1
                #expect(await stage.show(.sample()).isUnavailable)
            }
            #expect(try await starts(stage) == 3)
        }
    }

    @Test(arguments: ["silence", "silence after login", "half a message"])
    func promise2_aBusThatSaysNothingIsWaitedForOnce(_ kind: String) async throws {
        try await Desktop.with(bus: nil) { desktop in
            let address = try await desktop.call("nonsense", ["kind": .string(kind)])["address"]
            let stage = Stage(desktop, address: address.text, limit: .seconds(2))
            let reason = "The message bus does not answer."
            try await stage.events.wait(for: .availabilityChanged(.unavailable(reason)))
            let start = ContinuousClock.now
            for number in 0..<100 {
                #expect(await stage.show(.sample("a", number)) == .unavailable(reason))
                #expect(await stage.backend.availability() == .unavailable(reason))
            }
            // One limit for each would be over three minutes.
            #expect(ContinuousClock.now - start < .seconds(60))
            try await desktop.call("fall_silent")
            try await desktop.startBus(["address": address.text])
            try await desktop.call("fake")
            try await stage.events.wait { $0.last == .availabilityChanged(.available) }
            #expect(await stage.show(.sample("a", 100)).isAccepted)
        }
    }

    @Test func promise2_aBusThatTalksNonsenseIsLookedForAgain() async throws {
        try await Desktop.with(bus: nil) { desktop in
            let address = try await desktop.call("nonsense", ["kind": "noise"])["address"].text
            let stage = Stage(desktop, address: address)
            #expect(await stage.show(.sample()).isUnavailable)
            try await desktop.call("fall_silent")
            try await desktop.startBus(["address": address])
            try await desktop.call("fake")
            try await stage.events.wait { $0.last == .availabilityChanged(.available) }
            #expect(await stage.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func aBusThatDiesIsAnEventAndTheNextOneIsUsed() async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake")
            // Without the number of the server, which the next one does not have.
            let address = String(await desktop.address.prefix { $0 != "," })
            let stage = Stage(desktop, address: address)
            await stage.show(.sample("a", 1))
            try await stage.desktop.call("end", ["what": "bus"])
            try await stage.events.wait(
                for: .closed(NotificationDelivery(identifier: "a", number: 1), .unknown)
            )
            #expect(await stage.show(.sample("a", 2)).isUnavailable)
            try await stage.desktop.startBus(["address": address])
            try await stage.desktop.call("fake", ["name": "second"])
            try await stage.events.wait { $0.last == .availabilityChanged(.available) }
            #expect(await stage.show(.sample("a", 3)).isAccepted)
        }
    }

    @Test func whatTheDaemonCanDoIsRead() async throws {
        try await Stage.with(["capabilities": ["body", "sound", "icon-static"]]) { stage in
            await stage.show(.sample(actions: [.init("x", title: "X")]))
            #expect(stage.backend.features.contains([.body, .sound, .soundFile, .image]))
            #expect(stage.backend.features.isDisjoint(with: [.actions, .textReply, .responses]))
        }
    }
}
