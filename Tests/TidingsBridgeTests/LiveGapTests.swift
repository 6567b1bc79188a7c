// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridge
import TidingsLock

@testable import TidingsBridgeTesting

/// Frames that a stream removes in front of a slow reader whose connection stays.
@Suite(.timeLimit(.minutes(15)))
struct LiveGapTests {
    private let server = InMemoryServer()

    /// Returns a process whose handler of message 1 waited until messages 2 and 3 were gone.
    private func reader(_ policy: GapPolicy) async throws -> Peer {
        var options = BridgeOptions.quick
        options.gapPolicy = policy
        let (gate, kitchen) = (WakeSignal(), Peer(server, options: options))
        let token = kitchen.center.messages(of: Placed.self).observe(owner: gate) {
            gate,
            message in
            if message.number == 1 { await gate.wait() }
        }
        try await kitchen.bridge.start()
        let desk = try await Peer(server).started()
        desk.center.post(Placed(number: 1))
        _ = try await kitchen.received.wait(for: 1)
        for number in 2...5 { desk.center.post(Placed(number: number)) }
        try await desk.status { $0.outboxCount == 0 }
        let connections = server.connectionCount
        server.state.withLock { $0.streams["shop"]?.removeFrames(before: 4) }
        gate.raise()
        try await kitchen.status { $0.subscriptions["orders.placed"]?.gaps.map(\.size) == [2] }
        #expect(server.connectionCount == connections)
        withExtendedLifetime(token) {}
        return kitchen
    }

    @Test func b11_aSubscriptionStopsOverItsConnection() async throws {
        let kitchen = try await reader(.stop)
        try await kitchen.status { $0.subscriptions["orders.placed"]?.isStopped == true }
        #expect(kitchen.received.all == [1])
    }

    @Test func b11_aSubscriptionGoesToTheEndOverItsConnection() async throws {
        let kitchen = try await reader(.fromEnd)
        let desk = try await Peer(server).started()
        desk.center.post(Placed(number: 6))
        #expect(try await kitchen.received.wait(for: 2) == [1, 6])
    }

    @Test func b11_aSubscriptionReadsWhatIsLeftOverItsConnection() async throws {
        let kitchen = try await reader(.fromBeginning)
        #expect(try await kitchen.received.wait(for: 3) == [1, 4, 5])
    }
}
