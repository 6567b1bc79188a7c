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
        try await Stage.with(nil, bus: ["service": program], limit: .seconds(20)) { stage in
            #expect(await stage.backend.availability() == .available)
            let start = ContinuousClock.now
            #expect(await stage.show(.sample()).isUnavailable)
            // The bus itself would have waited 25 s for whoever was to be started.
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(await stage.backend.availability() != .available)
        }
    }

    @Test(arguments: ["/bin/sleep 600", "/bin/true"])
    func aStartThatNeverEndsCostsTheLimit(_ program: String) async throws {
        try await Stage.with(nil, bus: ["service": program], limit: .milliseconds(200)) { stage in
            #expect(await stage.show(.sample()).isUnavailable)
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
