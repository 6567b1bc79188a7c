// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

/// Bridges with their storage on a disk that fills up.
@Suite(.timeLimit(.minutes(15)), .enabled(if: SmallDisk.isPossible, "Only root can mount a disk."))
struct FullDiskTests {
    private let server = InMemoryServer()
    private let disk: SmallDisk

    init() throws {
        disk = try SmallDisk(kibibytes: 16_384)
    }

    private func peer(_ durability: BridgeDurability = .process) -> Peer {
        var options = BridgeOptions.quick
        options.durability = durability
        return Peer(server, folder: TemporaryFolder(in: disk.folder), options: options)
    }

    /// Publishes messages until the disk has no room for a message.
    ///
    /// - Returns: The number of the last message that was stored, and the message's receipt.
    private func publish(from first: Int, by peer: Peer) async throws -> (Int, Receipt) {
        var receipt: Receipt?
        for number in first..<1_000 {
            do throws(BridgeError) {
                receipt = try await peer.bridge.publish(Placed(number: number, region: "eu"))
            } catch {
                #expect(error.code == .full && error.cause != nil)
                return (number - 1, try #require(receipt))
            }
        }
        throw CancellationError()
    }

    @Test(arguments: [BridgeDurability.process, .power])
    func b14_aFullDiskFailsThePostsAndIsDrained(durability: BridgeDurability) async throws {
        server.isDown = true
        let desk = try await peer(durability).started()
        for number in 1...50 { desk.center.post(Placed(number: number, region: "eu")) }
        try disk.fill(leaving: 8)
        let (last, receipt) = try await publish(from: 51, by: desk)
        #expect(desk.received.all == Array(1...last))
        let failures = Received()
        let token = desk.center.addErrorHook { failure in
            if (failure.error as? BridgeError)?.code == .full { failures.add(0) }
        }
        desk.center.post(Placed(number: 0, region: "eu"))
        _ = try await failures.wait(for: 1)
        token.cancel()
        server.isDown = false
        let kitchen = try await Peer(server).started()
        #expect(try await kitchen.received.wait(for: last) == Array(1...last))
        _ = try await receipt.accepted()
        try disk.empty()
        // No further post is needed, because the bridge removes the rows that the full disk kept.
        try await desk.status { $0.outboxCount == 0 }
        try await desk.bridge.publish(Placed(number: last + 1, region: "eu"))
        #expect(try await kitchen.received.wait(for: last + 1) == Array(1...(last + 1)))
        #expect(try await desk.bridge.close(within: .seconds(60)) == 0)
        #expect(server.frames(of: "shop").count == last + 1)
    }

    @Test func b14_aBridgeThatStartsOnAFullDiskHasWhatWasStored() async throws {
        server.isDown = true
        let first = try await peer().started()
        for number in 1...50 { first.center.post(Placed(number: number, region: "eu")) }
        try disk.fill(leaving: 8)
        let (last, _) = try await publish(from: 51, by: first)
        #expect(try await first.bridge.close(within: .zero) == last)
        try disk.fill(leaving: 0)
        let second = Peer(server, folder: first.folder)
        try await second.bridge.start()
        server.isDown = false
        let kitchen = try await Peer(server).started()
        #expect(try await kitchen.received.wait(for: last) == Array(1...last))
        let status = try await second.status {
            $0.subscriptions["orders.placed"]?.position == UInt64(last)
        }
        #expect(status.fault == nil && status.outboxCount == last)
        try disk.empty()
        try await second.status { $0.outboxCount == 0 }
    }

    @Test func b10_aFirstPlaceThatFindsNoRoomIsKeptOverConnections() async throws {
        let desk = try await Peer(server).started()
        _ = try await desk.bridge.publish(Placed(number: 1, region: "eu")).accepted()
        server.isDown = true
        let (folder, clock) = (TemporaryFolder(in: disk.folder), ManualClock())
        let kitchen = Peer(server, folder: folder, options: .quick, clock: clock, from: .now)
        try await kitchen.bridge.start()
        try disk.fill(leaving: 0)
        server.isDown = false
        while kitchen.bridge.status.lastData?.isConnected != true { await clock.tick() }
        server.endConnections()
        try await kitchen.status { !$0.isConnected }
        _ = try await desk.bridge.publish(Placed(number: 2, region: "eu")).accepted()
        try disk.empty()
        while kitchen.received.all.isEmpty { await clock.tick() }
        #expect(kitchen.received.all == [2])
    }

    @Test func b5_aFullDiskOfAReaderLosesAndSwapsNothing() async throws {
        let kitchen = try await peer().started()
        let desk = try await Peer(server).started()
        desk.center.post(Placed(number: 1, region: "eu"))
        _ = try await kitchen.received.wait(for: 1)
        try await kitchen.status { $0.subscriptions["orders.placed"]?.handled == 1 }
        try disk.fill(leaving: 0)
        for number in 2...300 { desk.center.post(Placed(number: number, region: "eu")) }
        try await kitchen.status { $0.fault?.message.contains("no space") == true }
        let epoch = try await kitchen.status { $0.isConnected }.epoch
        try await kitchen.status { $0.epoch > epoch + 5 }
        try disk.empty()
        try await kitchen.status { $0.subscriptions["orders.placed"]?.handled == 300 }
        #expect(kitchen.received.all == Array(1...300))
    }

    /// Waits until a bridge has tried to store an outcome on a full disk.
    private func fullDisk(of bridge: Bridge) async {
        for await state in bridge.status.states.values
        where state.value?.fault?.message.contains("no space") == true { break }
    }

    @Test(arguments: [Crossing.Kind.durable, .shared(group: "cooks")])
    func b5_anotherBridgeOfTheCenterCallsNoHandlerAgainBecauseOfAFullDisk(
        kind: Crossing.Kind
    ) async throws {
        let (center, received, folder) = (MessageCenter(), Received(), TemporaryFolder())
        let token = center.messages(of: Placed.self).observe { received.add($0.number) }
        let first = server.reader(on: center, storage: disk.folder + "/first", kind)
        let second = server.reader(on: center, storage: folder.path + "/second", .durable)
        // A bridge without other bridges on its center keeps no claims.
        let other = Bridge(
            center: center,
            space: "shop",
            transport: server.transport(),
            storage: folder.path + "/other"
        ) { Crossing(Cleared.self, .transient) }
        for bridge in [other, first] { try await bridge.start() }
        let desk = try await Peer(server, kind: kind, direction: .outgoing).started()
        try disk.fill(leaving: 0)
        desk.center.post(Placed(number: 1))
        await fullDisk(of: first)
        try await second.start()
        for await state in second.status.states.values {
            guard let found = state.value?.subscriptions["orders.placed"] else { continue }
            if found.handled + found.repeats == 1 { break }
        }
        #expect(received.all == [1])
        withExtendedLifetime((token, other)) {}
    }

    /// Starts a bridge of a group on the full disk and waits for some attempts to store an outcome.
    private func worker(
        _ options: BridgeOptions = .quick,
        leaving blocks: Int = 0,
        region: String? = nil,
        _ handler: @escaping @Sendable (Int) throws -> Void
    ) async throws -> (Peer, ObservationToken) {
        let group = Crossing.Kind.shared(group: "cooks")
        let worker = Peer(
            server,
            folder: TemporaryFolder(in: disk.folder),
            options: options,
            kind: group,
            direction: .incoming
        )
        let token = worker.center.messages(of: Placed.self).observe { try handler($0.number) }
        try await worker.bridge.start()
        let desk = try await Peer(server, kind: group, direction: .outgoing).started()
        try disk.fill(leaving: blocks)
        for number in 1...2 {
            let message = Placed(number: number, region: region)
            _ = try await desk.bridge.publish(message).accepted()
        }
        await fullDisk(of: worker.bridge)
        let epoch = try await worker.status { $0.isConnected }.epoch
        try await worker.status { $0.epoch > epoch + 5 }
        return (worker, token)
    }

    @Test func b5_workThatIsDoneOnAFullDiskIsAcknowledgedAndNotDoneAgain() async throws {
        let (worker, token) = try await worker { _ in }
        // The second message waits for a process with room on the disk.
        #expect(worker.received.all == [1])
        #expect(server.state.withLock { $0.groups.values.flatMap(\.work.values).isEmpty })
        try disk.empty()
        #expect(try await worker.received.wait(for: 2) == [1, 2])
        try await worker.status { $0.subscriptions["orders.placed"]?.handled == 2 }
        withExtendedLifetime(token) {}
    }

    @Test func b8_failuresOfWorkOnAFullDiskCount() async throws {
        let calls = Received()
        let (worker, token) = try await worker { number in
            guard number == 1 else { return }
            calls.add(number)
            throw CancellationError()
        }
        #expect(calls.all == [1])
        try disk.empty()
        try await worker.status {
            $0.deadLetterCount == 1 && $0.subscriptions["orders.placed"]?.handled == 1
        }
        #expect(calls.all == [1, 1, 1])
        withExtendedLifetime(token) {}
    }

    @Test func b8_aDeadLetterThatFindsNoRoomIsMadeLaterWithoutAFurtherAttempt() async throws {
        var options = BridgeOptions.quick
        options.retry.attempts = 1
        let calls = Received()
        // There is room for a count, but not for the message.
        let region = String(repeating: "x", count: 300_000)
        let (worker, token) = try await worker(options, leaving: 16, region: region) { number in
            calls.add(number)
            throw CancellationError()
        }
        try disk.empty()
        try await worker.status { $0.deadLetterCount == 2 }
        #expect(calls.all.sorted() == [1, 2])
        #expect(try worker.bridge.deadLetters().allSatisfy { $0.code == .handlerFailed })
        withExtendedLifetime(token) {}
    }
}

extension ManualClock {
    fileprivate func tick() async {
        advance(by: .milliseconds(5))
        await Task.yield()
    }
}
#endif
