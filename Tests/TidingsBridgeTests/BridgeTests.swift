// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridge
import TidingsBridgeTesting
import TidingsLock
import TidingsTesting

/// A transport without connections until a gate is open.
private struct GatedTransport: BridgeTransport {
    let inner: any BridgeTransport
    let gate: Gate

    func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        guard (try? await gate.wait()) != nil else {
            throw TransportError(.closed, "The connecting was cancelled.")
        }
        return try await inner.connect(to: space, epoch: epoch)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct BridgeTests {
    private let server = InMemoryServer()

    @Test func b1_aPostReturnsWithTheRowStoredWhileTheServerIsDown() async throws {
        server.isDown = true
        let desk = try await Peer(server).started()
        try await desk.status { !$0.isConnected && $0.fault != nil }
        for number in 1...3 { desk.center.post(Placed(number: number)) }
        // The bridge closes immediately, so a row that a post stored too late may be missing.
        let left = try await desk.bridge.close(within: .zero)
        #expect(left == 3)
        #expect(desk.received.all == [1, 2, 3])
    }

    @Test func b4_everyMessageReachesEveryProcess() async throws {
        let (desk, kitchen, screen) = (Peer(server), Peer(server), Peer(server))
        for peer in [desk, kitchen, screen] { try await peer.bridge.start() }
        for number in 1...200 { desk.center.post(Placed(number: number, region: "eu")) }
        #expect(try await kitchen.received.wait(for: 200) == Array(1...200))
        #expect(try await screen.received.wait(for: 200) == Array(1...200))
        try await desk.status { $0.outboxCount == 0 }
    }

    @Test func b9_aProcessDoesNotReceiveItsOwnMessages() async throws {
        let (desk, kitchen) = (try await Peer(server).started(), try await Peer(server).started())
        desk.center.post(Placed(number: 1))
        _ = try await kitchen.received.wait(for: 1)
        kitchen.center.post(Placed(number: 2))
        #expect(try await desk.received.wait(for: 2) == [1, 2])
        #expect(server.frames(of: "shop").count == 2)
        try await desk.status { $0.subscriptions["orders.placed"]?.position == 2 }
        #expect(desk.received.all == [1, 2])
    }

    @Test func b7_orderHoldsOverLostConnectionsAndWithheldAcknowledgements() async throws {
        var options = BridgeOptions.quick
        options.window = 16
        options.acknowledgementDeadline = .milliseconds(20)
        let desk = try await Peer(server, options: options).started()
        let kitchen = try await Peer(server).started()
        for number in 1...300 {
            desk.center.post(Placed(number: number, region: "eu"))
            if number % 50 == 0 { server.endConnections() }
            if number == 100 { server.withholdsAcknowledgements = true }
            if number == 200 {
                try await desk.status { $0.isStalled }
                server.withholdsAcknowledgements = false
            }
        }
        #expect(try await kitchen.received.wait(for: 300) == Array(1...300))
        try await desk.status { $0.outboxCount == 0 && !$0.isStalled }
        #expect(server.frames(of: "shop").count == 300)
    }

    @Test func b7_orderHoldsOverARestartOfTheProcess() async throws {
        server.isDown = true
        let first = try await Peer(server).started()
        for number in 1...10 { first.center.post(Placed(number: number, region: "eu")) }
        try await first.bridge.close(within: .zero)
        server.isDown = false
        let second = try await Peer(server, folder: first.folder).started()
        second.center.post(Placed(number: 11, region: "eu"))
        let kitchen = try await Peer(server).started()
        #expect(try await kitchen.received.wait(for: 11) == Array(1...11))
    }

    @Test func b12_aBridgeResumesByItselfInBothDirections() async throws {
        let (desk, kitchen) = (try await Peer(server).started(), try await Peer(server).started())
        try await desk.status { $0.isConnected }
        server.isDown = true
        try await desk.status { !$0.isConnected && $0.fault != nil }
        desk.center.post(Placed(number: 1))
        kitchen.center.post(Placed(number: 2))
        server.isDown = false
        #expect(try await desk.received.wait(for: 2) == [1, 2])
        #expect(try await kitchen.received.wait(for: 2) == [2, 1])
        let status = try await desk.status { $0.isConnected }
        #expect(status.fault == nil && status.epoch >= 2)
    }

    @Test func b12_theRestOfABatchBelongsToTheNextConnection() async throws {
        let desk = try await Peer(server).started()
        for number in 1...5 {
            _ = try await desk.bridge.publish(Placed(number: number, region: "eu")).accepted()
        }
        let (kitchen, gate, handled) = (Peer(server), Gate(), Received())
        let token = kitchen.center.messages(of: Placed.self).observe { message in
            if message.number == 1 { try? await gate.wait() }
            handled.add(message.number)
        }
        _ = try await kitchen.started().received.wait(for: 1)
        server.isDown = true
        try await kitchen.status { !$0.isConnected }
        gate.open()
        _ = try await handled.wait(for: 1)
        // This is time enough for the rest of the batch, which would be handled here.
        for _ in 1...1_000 { await Task.yield() }
        #expect(handled.all == [1])
        server.isDown = false
        #expect(try await handled.wait(for: 5) == Array(1...5))
        withExtendedLifetime(token) {}
    }

    @Test func b12_aHandlerThatRunsForLongDoesNotStopReconnecting() async throws {
        let kitchen = try await Peer(server).started()
        let gate = Gate()
        let handled = Received()
        let token = kitchen.center.messages(of: Placed.self).observe(owner: handled) {
            owner,
            message async in
            if message.number == 1 { try? await gate.wait() }
            owner.add(message.number)
        }
        defer { token.cancel() }
        let desk = try await Peer(server).started()
        desk.center.post(Placed(number: 1, region: "eu"))
        _ = try await kitchen.received.wait(for: 1)
        let epoch = try await kitchen.status { $0.isConnected }.epoch
        server.endConnections()
        try await kitchen.status { $0.isConnected && $0.epoch > epoch }
        _ = try await kitchen.bridge.publish(Placed(number: 5)).accepted()
        desk.center.post(Placed(number: 2, region: "eu"))
        gate.open()
        try await kitchen.status { $0.subscriptions["orders.placed"]?.handled == 2 }
        #expect(handled.all.filter { $0 != 5 } == [1, 2])
    }

    @Test func theStatusKeepsThePaceOfTheBridgesClock() async throws {
        let clock = ManualClock()
        let desk = try await Peer(server, clock: clock).started()
        // The status is there immediately, although the clock stands.
        try await desk.status { $0.isConnected }
        try await clock.waitForSleepers()
        server.ignoresFrames = true
        try await desk.bridge.publish(Placed(number: 1))
        while desk.bridge.status.lastData?.outboxCount != 1 {
            try Task.checkCancellation()
            clock.advance(by: .milliseconds(5))
            await Task.yield()
        }
        #expect(try await desk.bridge.close(within: .zero) == 1)
    }

    @Test func b17_closeDrainsTheOutboxWhileTheClockStands() async throws {
        var options = BridgeOptions.quick
        // Most messages are then still in the outbox when the bridge closes.
        options.window = 1
        let desk = try await Peer(server, options: options, clock: ManualClock()).started()
        try await desk.status { $0.isConnected }
        for number in 1...300 { desk.center.post(Placed(number: number)) }
        #expect(try await desk.bridge.close(within: .seconds(1)) == 0)
    }

    @Test func b17_closeDrainsAnOutboxThatIsAcknowledgedPieceByPieceWhileTheClockStands()
        async throws
    {
        let (center, folder, gate) = (MessageCenter(), TemporaryFolder(), Gate())
        var options = BridgeOptions.quick
        // Each message then changes the status separately.
        options.window = 1
        let bridge = Bridge(
            center: center,
            space: "shop",
            transport: GatedTransport(inner: server.transport(), gate: gate),
            storage: folder.path,
            options: options,
            clock: ManualClock()
        ) { Crossing(Placed.self, .durable, .outgoing) }
        try await bridge.start()
        for number in 1...100 { center.post(Placed(number: number)) }
        async let left = bridge.close(within: .seconds(1))
        while (try? bridge.deadLetters()) != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        gate.open()
        #expect(try await left == 0)
        #expect(server.frames(of: "shop").count == 100)
    }

    @Test func b13_aServerThatDoesNotAnswerIsShownAndNothingIsLost() async throws {
        var options = BridgeOptions.quick
        options.acknowledgementDeadline = .milliseconds(10)
        server.ignoresFrames = true
        let desk = try await Peer(server, options: options).started()
        for number in 1...5 { desk.center.post(Placed(number: number)) }
        let status = try await desk.status { $0.isStalled && $0.fault?.code == .overdue }
        #expect(status.outboxCount == 5)
        server.ignoresFrames = false
        try await desk.status { $0.outboxCount == 0 && !$0.isStalled }
        #expect(server.frames(of: "shop").count == 5)
    }

    @Test func b3_aRefusedMessageIsADeadLetterAndTheOthersGoOn() async throws {
        server.refuse { frame in
            frame.body.contains(UInt8(ascii: "2"))
                ? TransportError(.notPermitted, "This account may not write it.") : nil
        }
        let desk = try await Peer(server).started()
        let receipt = try await desk.bridge.publish(Placed(number: 2))
        for number in [3, 4] { desk.center.post(Placed(number: number)) }
        let error = await #expect(throws: BridgeError.self) { try await receipt.accepted() }
        #expect(error?.code == .refused)
        try await desk.status { $0.outboxCount == 0 && $0.deadLetterCount == 1 }
        let letter = try #require(try desk.bridge.deadLetters().first)
        #expect(letter.direction == .outgoing && letter.cause.contains("may not write"))
        server.refuse(nil)
        try desk.bridge.resend(letter.number)
        try await desk.status { $0.outboxCount == 0 && $0.deadLetterCount == 0 }
        #expect(server.frames(of: "shop").count == 3)
    }

    @Test func b16_aReceiptSaysWhatTheAcknowledgementMeans() async throws {
        let desk = try await Peer(server).started()
        let receipt = try await desk.bridge.publish(Placed(number: 1))
        let acceptance = try await receipt.accepted()
        #expect(acceptance.sequence == 1 && acceptance.meaning == .synced)
        #expect(server.frames(of: "shop").first?.frame.headers.id == receipt.id)
        #expect(desk.received.all == [1])
    }

    @Test func b16_neverLoseRefusesAWeakServer() async throws {
        let guarantees = TransportGuarantees(
            acknowledgement: .serverPageCache,
            largestFrame: 1_000,
            duplicateWindow: .zero
        )
        let server = InMemoryServer(guarantees: guarantees)
        var options = BridgeOptions.quick
        options.requirement = .neverLose
        let desk = Peer(server, options: options)
        let error = await #expect(throws: BridgeError.self) { try await desk.bridge.start() }
        #expect(error?.code == .tooWeak)
        #expect(
            try await Peer(server, folder: desk.folder).started().bridge.close(within: .zero) == 0
        )
    }

    @Test func b17_closingDrainsTheOutboxAndEndsThePosts() async throws {
        let desk = try await Peer(server).started()
        for number in 1...100 { desk.center.post(Placed(number: number)) }
        #expect(try await desk.bridge.close(within: .seconds(60)) == 0)
        #expect(server.frames(of: "shop").count == 100)
        desk.center.post(Placed(number: 101))
        let error = await #expect(throws: BridgeError.self) {
            try await desk.bridge.publish(Placed(number: 102))
        }
        #expect(error?.code == .closed)
        #expect(server.frames(of: "shop").count == 100)
    }

    @Test func b14_aPostWaitsForRoomIfTheOptionsSaySo() async throws {
        var options = BridgeOptions.quick
        options.limits.outboxBytes = 2_000
        options.whenFull = .wait(.seconds(3_600))
        let desk = try await Peer(server, options: options).started()
        for number in 1...100 { try await desk.bridge.publish(Placed(number: number)) }
        #expect(try await desk.bridge.close(within: .seconds(60)) == 0)
        #expect(server.frames(of: "shop").count == 100)
    }

    @Test func b14_aFullOutboxFailsThePostOtherwise() async throws {
        server.isDown = true
        var options = BridgeOptions.quick
        options.limits.outboxBytes = 2_000
        let desk = try await Peer(server, options: options).started()
        let failures = Received()
        let token = desk.center.addErrorHook { failure in
            if (failure.error as? BridgeError)?.code == .full { failures.add(0) }
        }
        defer { token.cancel() }
        for number in 1...100 { desk.center.post(Placed(number: number)) }
        let left = try await desk.bridge.close(within: .zero)
        #expect(left > 0 && failures.all.count == 100 - left)
        #expect(desk.received.all.count == 100)
    }

    @Test func b6_transientMessagesReachOnlyWhoIsConnected() async throws {
        let (desk, kitchen) = (try await Peer(server).started(), try await Peer(server).started())
        let cleared = Received()
        let token = kitchen.center.messages(of: Cleared.self).observe { cleared.add($0.number) }
        defer { token.cancel() }
        server.isDown = true
        try await desk.status { !$0.isConnected && $0.epoch > 0 && $0.fault != nil }
        try await kitchen.status { !$0.isConnected && $0.epoch > 0 && $0.fault != nil }
        desk.center.post(Cleared(number: 1))
        try await desk.status { $0.transientLosses == 1 }
        server.isDown = false
        for peer in [desk, kitchen] { try await peer.status { $0.isConnected } }
        desk.center.post(Cleared(number: 2))
        #expect(try await cleared.wait(for: 1) == [2])
        #expect(server.frames(of: "shop").isEmpty)
    }

    @Test func b6_transientMessagesBehindASlowHandlerAreCountedWhenTheirConnectionEnds()
        async throws
    {
        let kitchen = try await Peer(server).started()
        let (began, gate) = (Received(), DispatchGate())
        let token = kitchen.center.messages(of: Cleared.self).observe { message in
            began.add(message.number)
            if message.number == 1 { gate.wait() }
        }
        for number in 1...3 {
            let status = try await kitchen.status { $0.isConnected && $0.epoch >= number }
            // Two more messages wait where the reader has not yet seen them, or behind the handler.
            let numbers = number == 1 ? [1] : [10 * number, 10 * number + 1]
            try await clear(numbers)
            _ = try await began.wait(for: 1)
            if number == 3 { break }
            server.endConnections()
            try await kitchen.status { $0.isConnected && $0.epoch > status.epoch }
        }
        #expect(try await kitchen.status { $0.epoch >= 3 }.transientLosses == 2)
        gate.open()
        #expect(try await began.wait(for: 3) == [1, 30, 31])
        withExtendedLifetime(token) {}
    }

    @Test func b17_noTransientHandlerRunsAfterTheClose() async {
        // A separate process runs this part, because the handler blocks a thread of the tasks.
        await #expect(processExitsWith: .success) {
            let server = InMemoryServer()
            let (desk, kitchen) = (Peer(server), Peer(server))
            for peer in [desk, kitchen] { try await peer.started().status { $0.isConnected } }
            let (began, handled, gate) = (Received(), Received(), DispatchGate())
            let token = kitchen.center.messages(of: Cleared.self).observe { message in
                began.add(message.number)
                if message.number == 1 { gate.wait() }
                handled.add(message.number)
            }
            desk.center.post(Cleared(number: 1))
            _ = try await began.wait(for: 1)
            let handledAtTheEnd = Task {
                try await kitchen.bridge.close(within: .seconds(60))
                return handled.all
            }
            while kitchen.bridge.origin != nil {
                try Task.checkCancellation()
                await Task.yield()
            }
            // This is time enough for a close that does not wait.
            for _ in 1...1_000 { await Task.yield() }
            gate.open()
            #expect(try await handledAtTheEnd.value == [1])
            withExtendedLifetime(token) {}
        }
    }

    /// Sends transient messages to all connected processes and returns after their arrival.
    private func clear(_ numbers: [Int]) async throws {
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        defer { connection.close() }
        try await connection.send(
            numbers.map { number in
                var frame = BridgeFrame(
                    subject: "shop+now.cache.cleared._",
                    body: Array(#"{"number":\#(number)}"#.utf8)
                )
                frame.headers[.type] = Cleared.wireName.text
                return frame
            }
        )
    }

    @Test func theEnvelopeIsThereInsideAHandlerAndNowhereElse() async throws {
        let (desk, kitchen) = (try await Peer(server).started(), try await Peer(server).started())
        let envelopes = Lock<[BridgeEnvelope?]>([])
        let calls = WaitableCounter()
        let token = kitchen.center.messages(of: Placed.self).observe { _ in
            envelopes.withLock { $0.append(BridgeEnvelope.current) }
            calls.add(1)
        }
        defer { token.cancel() }
        let receipt = try await desk.bridge.publish(Placed(number: 1, region: "e.u"))
        try await calls.wait(for: 1)
        kitchen.center.post(Placed(number: 2))
        try await calls.wait(for: 2)
        let found = envelopes.withLock { $0 }
        #expect(found.count == 2 && found.last == .some(nil))
        let envelope = try #require(found.first ?? nil)
        #expect(envelope.id == receipt.id && envelope.key == "e.u" && envelope.hops == 1)
        #expect(envelope.origin.isEmpty == false && envelope.version == 1)
    }

    @Test func twoCrossingsOfOneNameAreRefused() async throws {
        let folder = TemporaryFolder()
        let bridge = Bridge(
            center: MessageCenter(),
            space: "shop",
            transport: server.transport(),
            storage: folder.path
        ) {
            Crossing(Placed.self, .durable)
            Crossing(Placed.self, .transient)
        }
        let error = await #expect(throws: BridgeError.self) { try await bridge.start() }
        #expect(error?.code == .invalidCrossing)
    }
}
