// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

private struct Refusal: Error {}

/// A message whose encoding waits for a gate, so that a post goes on until the test opens the gate.
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
@Suite(.timeLimit(.minutes(15)))
struct SiblingTests {
    private let server = InMemoryServer()

    /// The number of the group's messages that no bridge has acknowledged.
    private var unfinished: Int {
        server.state.withLock { state in
            state.groups.values.reduce(0) { $0 + $1.work.count + $1.returned.count }
        }
    }

    /// Returns another bridge of the center, because a bridge without siblings keeps no claims.
    private func cleared(on center: MessageCenter, storage: String) -> Bridge {
        server.bridge(on: center, storage: storage) { Crossing(Cleared.self, .transient) }
    }

    /// Waits until a bridge has read a message that another bridge has in work.
    private func wait(for id: String, on center: MessageCenter, orUntil end: () -> Bool) async {
        while !Siblings.isAwaited(id, on: ObjectIdentifier(center)), !end(), !Task.isCancelled {
            await Task.yield()
        }
    }

    @Test(arguments: [Crossing.Kind.durable, .shared(group: "cooks")])
    func b4_aDurableSubscriptionHandlesWhatAnotherBridgeHasNotFinished(
        kind: Crossing.Kind
    ) async throws {
        let (center, folder) = (MessageCenter(), TemporaryFolder())
        let (began, gate) = (Received(), Gate())
        let token = center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            if began.all.count == 1 { try await gate.wait() }
        }
        let first = server.reader(on: center, storage: folder.path + "/1", kind)
        let second = server.reader(on: center, storage: folder.path + "/2", .durable)
        let other = cleared(on: center, storage: folder.path + "/0")
        for bridge in [other, first] { try await bridge.start() }
        let status = { @Sendable in second.status.lastData?.subscriptions["orders.placed"] }
        let desk = try await Peer(server, kind: kind, direction: .outgoing).started()
        let id = try await desk.bridge.publish(Placed(number: 1)).id
        _ = try await began.wait(for: 1)
        try await second.start()
        await wait(for: id, on: center) { status()?.repeats == 1 }
        // The bridge ends while a handler is still running.
        try await first.close(within: .zero)
        gate.open()
        for await state in second.status.states.values {
            guard let found = state.value?.subscriptions["orders.placed"] else { continue }
            if found.handled + found.repeats == 1 { break }
        }
        #expect(began.all == [1, 1] && status()?.repeats == 0)
        withExtendedLifetime((token, other)) {}
    }

    @Test func b17_aBridgeThatWaitsForTheWorkOfAnotherCloses() async throws {
        let (center, folder) = (MessageCenter(), TemporaryFolder())
        let (began, gate) = (Received(), Gate())
        let token = center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            try? await gate.wait()
        }
        let first = server.reader(on: center, storage: folder.path + "/1", .durable)
        let second = server.reader(on: center, storage: folder.path + "/2", .durable)
        let other = cleared(on: center, storage: folder.path + "/0")
        for bridge in [other, first] { try await bridge.start() }
        let desk = try await Peer(server, direction: .outgoing).started()
        let id = try await desk.bridge.publish(Placed(number: 1)).id
        _ = try await began.wait(for: 1)
        try await second.start()
        await wait(for: id, on: center) { false }
        // The handler is still running and would use up the whole time.
        try await second.close(within: .seconds(3_600))
        gate.open()
        try await first.close(within: .seconds(60))
        #expect(began.all == [1])
        withExtendedLifetime((token, other)) {}
    }

    @Test func b4_aMessageThatOneBridgeCannotParkGoesToAnother() async throws {
        let (center, folder, began) = (MessageCenter(), TemporaryFolder(), Received())
        let token = center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            if began.all.count == 1 { throw Refusal() }
        }
        var options = BridgeOptions.quick
        options.limits.parkedMessages = 0
        let first = server.reader(
            on: center,
            storage: folder.path + "/1",
            .durable,
            options: options
        )
        let second = server.reader(on: center, storage: folder.path + "/2", .durable)
        let other = cleared(on: center, storage: folder.path + "/0")
        for bridge in [other, first] { try await bridge.start() }
        let desk = try await Peer(server, direction: .outgoing).started()
        _ = try await desk.bridge.publish(Placed(number: 1)).accepted()
        _ = try await began.wait(for: 1)
        try await second.start()
        #expect(try await began.wait(for: 2) == [1, 1])
        for bridge in [first, second] { try await bridge.close(within: .seconds(60)) }
        #expect(began.all == [1, 1])
        withExtendedLifetime((token, other)) {}
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
        // The bridge with the message waits for the handler, and the second receives the repeat.
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
        // Each of the two bridges encodes the message.
        for _ in bridges { gate.end.open() }
        try await posts.wait(for: 1)
        for bridge in bridges { try await bridge.close(within: .seconds(60)) }
        let ids = ["shop", "office"].map { server.frames(of: $0).map(\.frame.headers.id) }
        #expect(ids[0].count == 1 && ids[0] == ids[1])
    }
}
