// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

private struct Refusal: Error {}

/// A message whose encoding waits for a gate, so that its post goes on until the test opens it.
private struct Slow: BridgedMessage {
    static let wireName: WireName = "slow"
    var gate: Gate?

    enum CodingKeys: CodingKey {}

    final class Gate: Sendable {
        let began = WaitableCounter()
        let end = DispatchGate()
    }

    func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: CodingKeys.self)
        gate?.began.add(1)
        gate?.end.wait()
    }
}

/// Several bridges of one center.
@Suite(.timeLimit(.minutes(5)))
struct SiblingTests {
    private let server = InMemoryServer()

    /// The messages of the group that nobody has acknowledged.
    private var unfinished: Int {
        server.state.withLock { state in
            state.groups.values.reduce(0) { $0 + $1.work.count + $1.returned.count }
        }
    }

    @Test(arguments: [true, false])
    func b4_workThatOneBridgeHasInHandIsNotAcknowledgedByAnotherOfItsCenter(
        fails: Bool
    ) async throws {
        let (center, folder) = (MessageCenter(), TemporaryFolder())
        let (began, done, gate) = (Received(), Received(), Gate())
        let token = center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            if began.all.count == 1 {
                try await gate.wait()
                if fails { throw Refusal() }
            }
            done.add(message.number)
        }
        var options = BridgeOptions.quick
        options.workLimit = .milliseconds(600)
        let bridges = (1...2).map { number in
            Bridge(
                center: center,
                space: "shop",
                transport: server.transport(),
                storage: "\(folder.path)/\(number)",
                options: options
            ) { Crossing(Placed.self, .shared(group: "cooks"), .incoming) }
        }
        for bridge in bridges { try await bridge.start() }
        let desk = try await Peer(server, kind: .shared(group: "cooks"), direction: .outgoing)
            .started()
        _ = try await desk.bridge.publish(Placed(number: 1)).accepted()
        _ = try await began.wait(for: 1)
        // The bridge that has it in hand waits for its handler; the other one receives the repeat.
        server.endConnections()
        try await server.extensions.wait(for: 2)
        #expect(unfinished == 1 && began.all == [1])
        gate.open()
        #expect(try await done.wait(for: 1) == [1])
        for bridge in bridges { try await bridge.close(within: .seconds(60)) }
        #expect(unfinished == 0 && began.all.count == (fails ? 2 : 1))
        withExtendedLifetime(token) {}
    }

    @Test func b4_aBridgeThatJoinsWhileAPostIsStoredCarriesItToo() async throws {
        let (center, folder, gate) = (MessageCenter(), TemporaryFolder(), Slow.Gate())
        let bridges = ["shop", "office"].map { space in
            Bridge(
                center: center,
                space: space,
                transport: server.transport(),
                storage: "\(folder.path)/\(space)",
                options: .quick
            ) { Crossing(Slow.self, .durable, .outgoing) }
        }
        try await bridges[0].start()
        let posts = WaitableCounter()
        Thread.detachNewThread {
            center.post(Slow(gate: gate))
            posts.add(1)
        }
        try await gate.began.wait(for: 1)
        try await bridges[1].start()
        // Each of the two encodes it.
        for _ in bridges { gate.end.open() }
        try await posts.wait(for: 1)
        for bridge in bridges { try await bridge.close(within: .seconds(60)) }
        let ids = ["shop", "office"].map { server.frames(of: $0).map(\.frame.headers.id) }
        #expect(ids[0].count == 1 && ids[0] == ids[1])
    }
}
