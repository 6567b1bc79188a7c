// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsUserNotifications

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct AvailabilityTests {
    @Test func n2_withoutABusEveryCallReturnsTheReason() async throws {
        try await Desktop.with(bus: nil) { desktop in
            for address in [nil, "unix:path=/nonexistent/bus", "nonsense"] {
                let fixture = BackendFixture(desktop, address: address)
                #expect(await fixture.backend.availability() != .available)
                #expect(await fixture.show(.sample()).isUnavailable)
                await fixture.backend.close("a")
                await fixture.backend.setBadge(1)
                #expect(await fixture.backend.restore([]).isEmpty)
            }
        }
    }

    @Test func n2_withoutADaemonItIsUnavailableUntilOneAppears() async throws {
        try await BackendFixture.with(nil) { fixture in
            #expect(await fixture.backend.availability() != .available)
            #expect(await fixture.show(.sample()).isUnavailable)
            try await fixture.desktop.call("fake")
            try await fixture.events.wait(for: .availabilityChanged(.available))
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
            try await fixture.desktop.call("end", ["what": "fake"])
            try await fixture.events.wait { $0.last != .availabilityChanged(.available) }
            #expect(await fixture.backend.availability() != .available)
        }
    }

    @Test func n2_theFirstPostStartsTheDaemon() async throws {
        try await BackendFixture.with(nil, bus: ["service": "FAKE"]) { fixture in
            #expect(await fixture.backend.availability() == .available)
            #expect(await fixture.show(.sample()).isAccepted)
        }
    }

    @Test(arguments: ["/bin/false", "/nonexistent/daemon"])
    func n2_aFailedStartReturnsAtOnce(_ program: String) async throws {
        try await BackendFixture.with(nil, bus: ["service": program]) { fixture in
            #expect(await fixture.backend.availability() == .available)
            guard case .unavailable(let reason) = await fixture.show(.sample()) else {
                Issue.record("The result is not unavailable.")
                return
            }
            #expect(reason.contains("cannot be started"))
            #expect(await fixture.backend.availability() == .unavailable(reason))
        }
    }

    /// Returns a service that records each start and then fails or hangs.
    private static func service(_ rest: String) -> [String: String] {
        ["service": "/bin/sh -c \"echo started >> FOLDER/starts; \(rest)\""]
    }

    /// A command that hangs until the desktop ends.
    private static let hanging = "while test -e FOLDER; do sleep 1; done"

    private func starts(_ fixture: BackendFixture) async throws -> Int {
        let output = try await fixture.desktop.call(
            "run",
            ["argv": ["sh", "-c", "cat $HOME/starts"]]
        )["output"]
        return output.text.split(separator: "\n").count { $0 == "started" }
    }

    /// Posts until the service was started, and expects a single start.
    ///
    /// The limit may pass before the bus has answered, so that a later post starts the service.
    private func expectOneStart(_ fixture: BackendFixture) async throws {
        while try await starts(fixture) == 0 {
            #expect(await fixture.show(.sample("late")).isUnavailable)
        }
        #expect(try await starts(fixture) == 1)
    }

    @Test(arguments: [hanging, "exit 0", "exit 1"])
    func n2_aStartThatHangsOrFailsIsNotRepeatedByEachPost(_ rest: String) async throws {
        let limit = Duration.seconds(rest == "exit 1" ? 120 : 10)
        try await BackendFixture.with(nil, bus: Self.service(rest), limit: limit) { fixture in
            // All posts share one timeout.
            await withTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { await fixture.show(.sample("\(number)")) }
                }
                for await result in group { #expect(result.isUnavailable) }
            }
            // One limit for each call would exceed the time limit of the suite.
            for number in 20..<220 {
                #expect(await fixture.show(.sample("\(number)")).isUnavailable)
                #expect(await fixture.backend.availability() != .available)
            }
            try await expectOneStart(fixture)
            try await fixture.desktop.call("fake")
            try await fixture.events.wait { $0.last == .availabilityChanged(.available) }
            // The daemon may take longer than the limit to answer a post.
            var number = 2
            while await !fixture.show(.sample("a", number)).isAccepted {
                try Task.checkCancellation()
                number += 1
            }
        }
    }

    @Test func n2_aHangingPortalIsNotStartedByEachPost() async throws {
        var bus = Self.service(Self.hanging)
        bus["starts"] = PortalSession.name
        try await Desktop.with(bus: bus) { desktop in
            let fixture = await BackendFixture(desktop, limit: .seconds(30), isSandboxed: true)
            #expect(await fixture.show(.sample()).isUnavailable)
            // One limit for each call would exceed the time limit of the suite.
            for number in 0..<100 {
                #expect(await fixture.show(.sample("\(number)")).isUnavailable)
                #expect(await fixture.backend.availability() != .available)
            }
            try await expectOneStart(fixture)
            try await desktop.call("fake", ["settings": ["portal": true]])
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func n2_aFailedStartIsRetriedAfterAPause() async throws {
        let (bus, pause) = (Self.service("exit 1"), Duration.milliseconds(1))
        try await BackendFixture.with(nil, bus: bus, startPause: pause) { fixture in
            var tries = 0
            while tries < 1000, try await starts(fixture) < 3 {
                tries += 1
                #expect(await fixture.show(.sample()).isUnavailable)
            }
            #expect(try await starts(fixture) == 3)
        }
    }

    @Test(arguments: ["silence", "silence after login", "half a message"])
    func n2_anUnresponsiveBusIsWaitedForOnce(_ kind: String) async throws {
        try await Desktop.with(bus: nil) { desktop in
            let address = try await desktop.call("nonsense", ["kind": .string(kind)])["address"]
            let fixture = BackendFixture(desktop, address: address.text, limit: .seconds(10))
            let reason = "The message bus does not answer."
            try await fixture.events.wait(for: .availabilityChanged(.unavailable(reason)))
            // One limit for each call would exceed the time limit of the suite.
            for number in 0..<100 {
                #expect(await fixture.show(.sample("a", number)) == .unavailable(reason))
                #expect(await fixture.backend.availability() == .unavailable(reason))
            }
            try await desktop.call("fall_silent")
            try await desktop.startBus(["address": address.text])
            try await desktop.call("fake")
            try await fixture.events.wait { $0.last == .availabilityChanged(.available) }
            // The daemon may take longer than the limit to answer a post.
            var number = 100
            while await !fixture.show(.sample("a", number)).isAccepted {
                try Task.checkCancellation()
                number += 1
            }
        }
    }

    @Test func n2_aBusThatSendsNonsenseIsRetried() async throws {
        try await Desktop.with(bus: nil) { desktop in
            let address = try await desktop.call("nonsense", ["kind": "noise"])["address"].text
            let fixture = BackendFixture(desktop, address: address)
            #expect(await fixture.show(.sample()).isUnavailable)
            try await desktop.call("fall_silent")
            try await desktop.startBus(["address": address])
            try await desktop.call("fake")
            try await fixture.events.wait { $0.last == .availabilityChanged(.available) }
            #expect(await fixture.show(.sample("a", 2)).isAccepted)
        }
    }

    @Test func aLostBusIsReportedAndTheNextOneIsUsed() async throws {
        try await Desktop.with { desktop in
            try await desktop.call("fake")
            // The address lacks the server ID, which the next server does not have.
            let address = String(await desktop.address.prefix { $0 != "," })
            let fixture = BackendFixture(desktop, address: address)
            await fixture.show(.sample("a", 1))
            try await fixture.desktop.call("end", ["what": "bus"])
            try await fixture.events.wait(
                for: .closed(NotificationDelivery(identifier: "a", number: 1), .unknown)
            )
            #expect(await fixture.show(.sample("a", 2)).isUnavailable)
            try await fixture.desktop.startBus(["address": address])
            try await fixture.desktop.call("fake", ["name": "second"])
            try await fixture.events.wait { $0.last == .availabilityChanged(.available) }
            #expect(await fixture.show(.sample("a", 3)).isAccepted)
        }
    }

    @Test func theDaemonsCapabilitiesAreRead() async throws {
        let settings: JSON = ["capabilities": ["body", "sound", "icon-static"]]
        try await BackendFixture.with(settings) { fixture in
            await fixture.show(.sample(actions: [.init("x", title: "X")]))
            #expect(fixture.backend.features.contains([.body, .sound, .soundFile, .image]))
            #expect(fixture.backend.features.isDisjoint(with: [.actions, .textReply, .responses]))
        }
    }
}
