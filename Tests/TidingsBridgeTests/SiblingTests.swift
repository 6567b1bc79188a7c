// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

private struct Refusal: Error {}

/// Two bridges of one center that are members of one group.
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
}
