// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsBridge
@testable import TidingsBridgeTesting

private struct Refusal: Error {}

@Suite(.timeLimit(.minutes(15)))
struct SharedWorkTests {
    private let server = InMemoryServer()
    private let work = Crossing.Kind.shared(group: "cooks")

    private func worker(
        _ options: BridgeOptions = .quick,
        direction: Crossing.Direction = .incoming
    ) async throws -> Peer {
        try await Peer(server, options: options, kind: work, direction: direction).started()
    }

    private func desk() async throws -> Peer {
        try await Peer(server, kind: work, direction: .outgoing).started()
    }

    @Test func b4_oneProcessOfTheGroupHandlesEachMessage() async throws {
        let desk = try await desk()
        let workers = [try await worker(), try await worker(), try await worker()]
        let counter = WaitableCounter()
        let tokens = workers.map { worker in
            worker.center.messages(of: Placed.self).observe { _ in counter.add(1) }
        }
        for number in 1...90 { desk.center.post(Placed(number: number)) }
        try await counter.wait(for: 90)
        for worker in workers { try await worker.bridge.close(within: .seconds(60)) }
        #expect(workers.flatMap(\.received.all).sorted() == Array(1...90))
        // The desk's own observers receive the desk's posts as always.
        #expect(desk.received.all == Array(1...90))
        withExtendedLifetime(tokens) {}
    }

    @Test func b4_workThatWaitedForTheFirstWorkerIsDone() async throws {
        let desk = try await desk()
        _ = try await desk.bridge.publish(Placed(number: 1)).accepted()
        let worker = try await worker()
        #expect(try await worker.received.wait(for: 1) == [1])
    }

    @Test func b4_workOfAConnectionThatEndedGoesToAnotherProcess() async throws {
        let desk = try await desk()
        let lost = try await server.transport().connect(to: "shop", epoch: 1)
        let group = SharedGroup(
            name: "cooks-orders_placed",
            filter: SubjectFilter("shop.orders.placed.*"),
            workLimit: .seconds(60),
            start: .beginning
        )
        let reader = try await lost.share(group)
        desk.center.post(Placed(number: 1))
        #expect(try await reader.next(atMost: 1).count == 1)
        let worker = try await worker()
        lost.close()
        #expect(try await worker.received.wait(for: 1) == [1])
    }

    @Test func b5_aLostAcknowledgementGivesARepeatThatTheInboxTells() async throws {
        let (desk, worker) = (try await desk(), try await worker())
        let token = worker.center.messages(of: Placed.self).observe { [server] message in
            if message.number == 1 { server.endConnections() }
        }
        for number in 1...3 { desk.center.post(Placed(number: number)) }
        #expect(try await worker.received.wait(for: 3).sorted() == [1, 2, 3])
        try await worker.status {
            $0.subscriptions["orders.placed"]?.repeats == 1
                && $0.subscriptions["orders.placed"]?.handled == 3
        }
        #expect(worker.received.all.count == 3)
        withExtendedLifetime(token) {}
    }

    @Test func b8_workThatFailsIsADeadLetterAfterItsAttempts() async throws {
        let (desk, worker) = (try await desk(), try await worker())
        let attempts = Received()
        let token = worker.center.messages(of: Placed.self).priority(.high).observe { message in
            guard message.number == 2 else { return }
            attempts.add(2)
            throw Refusal()
        }
        for number in 1...3 { desk.center.post(Placed(number: number)) }
        try await worker.status {
            $0.deadLetterCount == 1 && $0.subscriptions["orders.placed"]?.handled == 2
        }
        #expect(attempts.all.count == 3)
        let letter = try #require(try worker.bridge.deadLetters().first)
        #expect(letter.attempts == 3 && letter.code == .handlerFailed)
        #expect(letter.cause.contains("Refusal"))
        token.cancel()
        try worker.bridge.resend(letter.number)
        try await worker.status {
            $0.deadLetterCount == 0 && $0.subscriptions["orders.placed"]?.handled == 3
        }
    }

    @Test func b8_workThatEndsEachProcessIsADeadLetterToo() async throws {
        let desk = try await desk()
        _ = try await desk.bridge.publish(Placed(number: 1)).accepted()
        let group = SharedGroup(
            name: "cooks-orders_placed",
            filter: SubjectFilter("shop.orders.placed.*"),
            workLimit: .seconds(60),
            start: .beginning
        )
        for epoch in 1...6 {
            let lost = try await server.transport().connect(to: "shop", epoch: epoch)
            let frame = try await lost.share(group).next(atMost: 1)
            #expect(frame.first?.attempt == epoch)
            lost.close()
        }
        let worker = try await worker()
        try await worker.status { $0.deadLetterCount == 1 }
        let letter = try #require(try worker.bridge.deadLetters().first)
        #expect(letter.cause.contains("6 times") && worker.received.all.isEmpty)
    }

    /// Gives out the first message of the group a number of times without an end.
    private func lose(_ count: Int) async throws {
        let group = SharedGroup(
            name: "cooks-orders_placed",
            filter: SubjectFilter("shop.orders.placed.*"),
            workLimit: .seconds(60),
            start: .beginning
        )
        for epoch in 1...count {
            let lost = try await server.transport().connect(to: "shop", epoch: epoch)
            #expect(try await lost.share(group).next(atMost: 1).count == 1)
            lost.close()
        }
    }

    @Test func b8_deliveriesThatWereLostAreNoFailures() async throws {
        let desk = try await desk()
        _ = try await desk.bridge.publish(Placed(number: 1)).accepted()
        try await lose(4)
        let (center, folder) = (MessageCenter(), TemporaryFolder())
        let attempts = Received()
        let token = center.messages(of: Placed.self).observe { message in
            attempts.add(message.number)
            if attempts.all.count < 3 { throw Refusal() }
        }
        let worker = server.bridge(on: center, storage: folder.path) {
            Crossing(Placed.self, work, .incoming)
        }
        try await worker.start()
        #expect(try await attempts.wait(for: 3) == [1, 1, 1])
        try await worker.close(within: .seconds(60))
        #expect(worker.status.lastData?.subscriptions["orders.placed"]?.handled == 1)
        #expect(worker.status.lastData?.deadLetterCount == 0)
        withExtendedLifetime(token) {}
    }

    @Test func b8_attemptsBeforeARestartCount() async throws {
        let (desk, began, gate) = (try await desk(), Received(), Gate())
        defer { gate.open() }
        let fail = { @Sendable (message: Placed) async throws in
            began.add(message.number)
            // The first process ends during the second attempt.
            if began.all.count == 2 { try await gate.wait() }
            throw Refusal()
        }
        let first = try await worker()
        var token = first.center.messages(of: Placed.self).observe(fail)
        desk.center.post(Placed(number: 1))
        _ = try await began.wait(for: 2)
        try await first.bridge.close(within: .zero)
        let second = Peer(server, folder: first.folder, kind: work, direction: .incoming)
        token = second.center.messages(of: Placed.self).observe(fail)
        try await second.bridge.start()
        try await second.status { $0.deadLetterCount == 1 }
        // There are three failures, and the attempt without an end.
        #expect(began.all.count == 4)
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [2, 3])
    func b8_aFailureAfterTheEndOfItsConnectionCounts(ends: Int) async throws {
        let (desk, worker) = (try await desk(), try await worker())
        let (began, gates) = (Received(), (1...3).map { _ in Gate() })
        let token = worker.center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            try await gates[min(began.all.count, 3) - 1].wait()
            throw Refusal()
        }
        desk.center.post(Placed(number: 1))
        for (count, gate) in gates.enumerated() {
            _ = try await began.wait(for: count + 1)
            let epoch = try await worker.status { $0.isConnected }.epoch
            if count < ends {
                server.endConnections()
                try await worker.status { $0.isConnected && $0.epoch > epoch }
            }
            gate.open()
        }
        try await worker.status { $0.deadLetterCount == 1 }
        #expect(began.all.count == 3)
        withExtendedLifetime(token) {}
    }

    @Test func aFinishedCenterTakesNoWork() async throws {
        let finished = try await worker()
        try await finished.status { $0.isConnected }
        finished.center.finish()
        let (desk, worker) = (try await desk(), try await worker())
        for number in 1...20 { desk.center.post(Placed(number: number)) }
        #expect(try await worker.received.wait(for: 20).sorted() == Array(1...20))
        #expect(server.connectionCount == 3)
        #expect(finished.bridge.status.lastData?.deadLetterCount == 0)
    }

    @Test func b9_aWorkerHandlesItsOwnPostOnceAndWithItsEnvelope() async throws {
        let worker = try await worker(direction: .both)
        let origins = Lock<[String?]>([])
        let token = worker.center.messages(of: Placed.self).observe { _ in
            origins.withLock { $0.append(BridgeEnvelope.current?.origin) }
        }
        #expect(worker.center.post(Placed(number: 1)) == 1)
        let receipt = try await worker.bridge.publish(Placed(number: 2))
        _ = try await worker.received.wait(for: 2)
        try await worker.bridge.close(within: .seconds(60))
        #expect(worker.received.all.sorted() == [1, 2])
        let origin = receipt.id.split(separator: "-").first.map(String.init)
        #expect(origins.withLock { $0 } == [origin, origin])
        withExtendedLifetime(token) {}
    }

    @Test func b14_workThatFindsNoRoomInTheOutboxReachesTheErrorHooks() async throws {
        var options = BridgeOptions.quick
        options.limits.outboxBytes = 1
        let worker = try await worker(options, direction: .both)
        let codes = Lock<[BridgeErrorCode?]>([])
        let token = worker.center.addErrorHook { failure in
            codes.withLock { $0.append((failure.error as? BridgeError)?.code) }
        }
        #expect(worker.center.post(Placed(number: 1)) == 0)
        #expect(codes.withLock { $0 } == [.full] && worker.received.all.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func b17_closeWaitsForTheWorkInHandAndAcknowledgesIt() async throws {
        let (desk, worker) = (try await desk(), try await worker())
        let (began, gate) = (Received(), Gate())
        let token = worker.center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            try await gate.wait()
        }
        desk.center.post(Placed(number: 1))
        _ = try await began.wait(for: 1)
        async let left = worker.bridge.close(within: .seconds(60))
        gate.open()
        #expect(try await left == 0)
        let second = try await self.worker()
        desk.center.post(Placed(number: 2))
        #expect(try await second.received.wait(for: 1) == [2])
        withExtendedLifetime(token) {}
    }

    @Test func b17_aLostConnectionIsMadeAgainWhileAWorkerCloses() async throws {
        let (desk, worker) = (try await desk(), try await worker(direction: .both))
        let (began, gate) = (Received(), Gate())
        let token = worker.center.messages(of: Placed.self).observe { message in
            began.add(message.number)
            try await gate.wait()
        }
        desk.center.post(Placed(number: 1))
        _ = try await began.wait(for: 1)
        server.ignoresFrames = true
        worker.center.post(Placed(number: 2))
        try await worker.status { $0.outboxCount == 1 }
        let bridge = worker.bridge
        async let left = bridge.close(within: .seconds(60))
        while (try? bridge.deadLetters()) != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        server.ignoresFrames = false
        server.endConnections()
        while server.frames(of: "shop").count < 2 {
            try Task.checkCancellation()
            await Task.yield()
        }
        gate.open()
        #expect(try await left == 0)
        withExtendedLifetime(token) {}
    }

    @Test func aLongHandlerKeepsItsMessage() async throws {
        var options = BridgeOptions.quick
        options.workLimit = .seconds(3)
        let (serverTime, workerTime) = (ManualClock(), ManualClock())
        let server = InMemoryServer(clock: serverTime)
        let desk = try await Peer(server, kind: work, direction: .outgoing).started()
        let worker = Peer(
            server,
            options: options,
            clock: workerTime,
            kind: work,
            direction: .incoming
        )
        let (done, gate) = (Received(), Gate())
        let token = worker.center.messages(of: Placed.self).observe { message in
            try await gate.wait()
            done.add(message.number)
        }
        _ = try await worker.started()
        desk.center.post(Placed(number: 1))
        _ = try await worker.received.wait(for: 1)
        let second = try await Peer(server, options: options, kind: work, direction: .incoming)
            .started()
        // Four extensions, each in time, last longer than the limit.
        for count in 1...4 {
            serverTime.advance(by: .seconds(1))
            while server.extensions.value < count {
                try await workerTime.waitForSleepers()
                workerTime.advance(by: .seconds(1))
            }
        }
        gate.open()
        _ = try await done.wait(for: 1)
        desk.center.post(Placed(number: 2))
        desk.center.post(Placed(number: 3))
        _ = try await done.wait(for: 2 - second.received.all.count)
        try await second.bridge.close(within: .seconds(60))
        #expect(!second.received.all.contains(1))
        #expect(worker.received.all.filter { $0 == 1 }.count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func aProcessWithoutAHandlerGivesTheWorkBack() async throws {
        let folder = TemporaryFolder()
        let idle = Bridge(
            center: MessageCenter(),
            space: "shop",
            transport: server.transport(),
            storage: folder.path,
            options: .quick
        ) { Crossing(Placed.self, work) }
        try await idle.start()
        let desk = try await desk()
        desk.center.post(Placed(number: 1))
        for await state in idle.status.states.values where state.value?.isConnected == true {
            break
        }
        let worker = try await worker()
        #expect(try await worker.received.wait(for: 1) == [1])
    }

    @Test func aTransportWithoutSharedWorkStopsThatCrossingOnly() async throws {
        let (folder, center) = (TemporaryFolder(), MessageCenter())
        let bridge = Bridge(
            center: center,
            space: "shop",
            transport: SwappingTransport(inner: server.transport()),
            storage: folder.path
        ) {
            Crossing(Placed.self, work)
            Crossing(Cleared.self, .durable, .both(from: .beginning))
        }
        try await bridge.start()
        let recorder = MessageRecorder(Cleared.self, on: center)
        let other = Bridge(
            center: MessageCenter(),
            space: "shop",
            transport: server.transport(),
            storage: folder.path + "/other"
        ) { Crossing(Cleared.self, .durable) }
        try await other.start()
        _ = try await other.publish(Cleared(number: 1)).accepted()
        #expect(try await recorder.element(at: 0).number == 1)
        for await state in bridge.status.states.values {
            if state.value?.subscriptions["orders.placed"]?.isStopped == true { break }
        }
        #expect(bridge.status.lastData?.subscriptions["cache.cleared"]?.isStopped == false)
    }

    @Test func aGroupThatTheServerRefusesKeepsTheConnectionAndIsTriedAgain() async throws {
        let (folder, center) = (TemporaryFolder(), MessageCenter())
        let refusal = Lock<TransportError?>(TransportError(.other, "It has other subjects."))
        let bridge = Bridge(
            center: center,
            space: "shop",
            transport: SwappingTransport(inner: server.transport()) { refusal.withLock { $0 } },
            storage: folder.path,
            options: .quick
        ) {
            Crossing(Placed.self, work)
            Crossing(Cleared.self, .durable, .both(from: .beginning))
        }
        let placed = MessageRecorder(Placed.self, on: center)
        let cleared = MessageRecorder(Cleared.self, on: center)
        try await bridge.start()
        for await state in bridge.status.states.values {
            if state.value?.subscriptions["orders.placed"]?.isStopped == true { break }
        }
        #expect(server.connectionCount == 1)
        let other = Bridge(
            center: MessageCenter(),
            space: "shop",
            transport: server.transport(),
            storage: folder.path + "/other"
        ) {
            Crossing(Placed.self, work, .outgoing)
            Crossing(Cleared.self, .durable)
        }
        try await other.start()
        try await other.publish(Cleared(number: 1))
        try await other.publish(Placed(number: 2))
        #expect(try await cleared.element(at: 0).number == 1)
        refusal.withLock { $0 = nil }
        #expect(try await placed.element(at: 0).number == 2)
        #expect(server.connectionCount == 2)
        #expect(bridge.status.lastData?.subscriptions["cache.cleared"]?.isStopped == false)
    }

    @Test func noTwoGroupsHaveOneName() {
        let parts = ["a", "a-b", "b", "a_b", "a-", "-a", "_a", "a--b", "s", "-sa", "u"]
        let types = parts + ["a.b", "a.b-c", "a-b.c", "a.-b", "a.u"]
        let names = parts.flatMap { part in types.map { SharedGroup.name(work: part, of: $0) } }
        #expect(Set(names).count == names.count)
        #expect(SharedGroup.name(work: "cooks", of: "orders.placed") == "cooks-orders_placed")
    }

    @Test func aMalformedGroupIsRefusedAtTheStart() async throws {
        let folder = TemporaryFolder()
        let bridge = Bridge(
            center: MessageCenter(),
            space: "shop",
            transport: server.transport(),
            storage: folder.path
        ) { Crossing(Placed.self, .shared(group: "a.b")) }
        let error = await #expect(throws: BridgeError.self) { try await bridge.start() }
        #expect(error?.code == .invalidCrossing)
    }
}
