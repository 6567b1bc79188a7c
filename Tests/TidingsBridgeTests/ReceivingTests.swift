// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsBridge
import TidingsBridgeTesting
import TidingsLock
import TidingsTesting

private struct Refusal: Error {}

@Suite(.timeLimit(.minutes(15)))
struct ReceivingTests {
    private let server = InMemoryServer()

    /// Stores messages in the stream as a program without this package would.
    private func store(_ numbers: [Int], id: (Int) -> String? = { _ in nil }) async throws {
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        for number in numbers {
            var frame = BridgeFrame(
                subject: "shop.orders.placed.eu",
                body: Array(#"{"number":\#(number)}"#.utf8)
            )
            frame.headers[.id] = id(number)
            try await connection.publish([PublishedFrame(row: number, frame: frame)])
            _ = try await connection.acknowledgements(atMost: 1)
        }
        connection.close()
    }

    @Test func b5_repeatsWithTheSameIDAreHandledOnce() async throws {
        let kitchen = try await Peer(server).started()
        try await store([1, 2]) { "x-\($0)" }
        _ = try await kitchen.received.wait(for: 2)
        server.forgetIDs(of: "shop")
        try await store([1, 2, 3]) { "x-\($0)" }
        #expect(try await kitchen.received.wait(for: 3) == [1, 2, 3])
        try await kitchen.status {
            $0.subscriptions["orders.placed"]?.position == 5
                && $0.subscriptions["orders.placed"]?.repeats == 2
        }
    }

    @Test func b10_aRestartedProcessReadsOnFromItsCursor() async throws {
        try await store([1, 2])
        let first = try await Peer(server).started()
        _ = try await first.received.wait(for: 2)
        try await first.status { $0.subscriptions["orders.placed"]?.handled == 2 }
        try await first.bridge.close(within: .seconds(60))
        try await store([3])
        let second = try await Peer(server, folder: first.folder).started()
        #expect(try await second.received.wait(for: 1) == [3])
    }

    @Test func b4_aSubscriptionThatStartsNowHasItsPlaceBeforeTheFirstMessage() async throws {
        try await store([1])
        let first = try await Peer(server, from: .now).started()
        try await first.status { $0.subscriptions["orders.placed"]?.newest == 1 }
        try await first.bridge.close(within: .seconds(60))
        try await store([2])
        let second = try await Peer(server, folder: first.folder, from: .now).started()
        #expect(try await second.received.wait(for: 1) == [2])
    }

    @Test func b4_aFirstStartHasItsPlaceOnceTheBridgeIsConnected() async throws {
        try await store([1])
        for _ in 0..<20 {
            let peer = try await Peer(server, from: .now).started()
            let status = try await peer.status { $0.isConnected }
            #expect(status.subscriptions["orders.placed"]?.newest == 1)
            try await peer.bridge.close(within: .zero)
        }
    }

    @Test func b8_aFailingHandlerStopsOnlyItsMessage() async throws {
        let kitchen = try await Peer(server).started()
        let attempts = Received()
        let token = kitchen.center.messages(of: Placed.self).priority(.high).observe { message in
            attempts.add(message.number)
            if message.number == 2 { throw Refusal() }
        }
        defer { token.cancel() }
        try await store([1, 2, 3])
        try await kitchen.status {
            $0.deadLetterCount == 1 && $0.subscriptions["orders.placed"]?.handled == 2
        }
        #expect(attempts.all.filter { $0 == 2 }.count == 3)
        #expect(attempts.all.filter { $0 != 2 } == [1, 3])
        let letter = try #require(try kitchen.bridge.deadLetters().first)
        #expect(letter.direction == .incoming && letter.attempts == 3)
        #expect(letter.code == .handlerFailed && letter.cause.contains("Refusal"))
        #expect(letter.frame.body == Array(#"{"number":2}"#.utf8))
        token.cancel()
        try kitchen.bridge.resend(letter.number)
        try await kitchen.status {
            $0.deadLetterCount == 0 && $0.subscriptions["orders.placed"]?.handled == 3
        }
        #expect(kitchen.received.all.last == 2)
    }

    @Test func b8_anAttemptThatFailsAfterItsConnectionHasEndedCounts() async throws {
        let kitchen = try await Peer(server).started()
        let gate = Gate()
        let attempts = Received()
        let token = kitchen.center.messages(of: Placed.self).observe(owner: attempts) {
            owner,
            message async throws in
            owner.add(message.number)
            try await gate.wait()
            throw Refusal()
        }
        defer { token.cancel() }
        try await store([1])
        _ = try await attempts.wait(for: 1)
        let epoch = try await kitchen.status { $0.isConnected }.epoch
        server.endConnections()
        try await kitchen.status { $0.isConnected && $0.epoch > epoch }
        gate.open()
        try await kitchen.status { $0.deadLetterCount == 1 }
        #expect(attempts.all == [1, 1, 1])
        #expect(try kitchen.bridge.deadLetters().map(\.attempts) == [3])
    }

    @Test func b8_anAttemptThatFailsWhileTheBridgeClosesCounts() async throws {
        let (gate, clock, attempts) = (Gate(), ManualClock(), Received())
        let fail: @Sendable (Placed) async throws -> Void = { message in
            attempts.add(message.number)
            try await gate.wait()
            throw Refusal()
        }
        let first = try await Peer(server, clock: clock).started()
        let firstToken = first.center.messages(of: Placed.self).observe { try await fail($0) }
        defer { firstToken.cancel() }
        try await store([1])
        _ = try await attempts.wait(for: 1)
        let closing = Task { try await first.bridge.close(within: .zero) }
        // The bridge has stopped reading and waits for the handler.
        try await clock.waitForSleepers()
        gate.open()
        _ = try await closing.value
        let second = Peer(server, folder: first.folder)
        let secondToken = second.center.messages(of: Placed.self).observe { try await fail($0) }
        defer { secondToken.cancel() }
        try await second.bridge.start()
        try await second.status { $0.deadLetterCount == 1 }
        #expect(attempts.all == [1, 1, 1])
    }

    @Test func b8_inStrictOrderTheKeyWaitsForItsFailingMessage() async throws {
        var options = BridgeOptions.quick
        options.retry.keepsOrder = true
        let kitchen = try await Peer(server, options: options).started()
        let failures = Lock(2)
        let handled = Received()
        let token = kitchen.center.messages(of: Placed.self).observe { message in
            let fails = failures.withLock { left in
                guard message.number == 1, left > 0 else { return false }
                left -= 1
                return true
            }
            if fails { throw Refusal() }
            handled.add(message.number)
        }
        defer { token.cancel() }
        try await store([1, 2, 3])
        #expect(try await handled.wait(for: 3) == [1, 2, 3])
    }

    @Test func b15_undecodableAndNewerBodiesAreDeadLettersAndTheStreamGoesOn() async throws {
        let kitchen = try await Peer(server).started()
        let connection = try await server.transport().connect(to: "shop", epoch: 1)
        let subject = "shop.orders.placed.eu"
        let frames = [
            BridgeFrame(subject: subject, body: [0xff]),
            BridgeFrame(subject: subject, headers: ["Tidings-Version": "2"], body: []),
            BridgeFrame(subject: subject, headers: ["Tidings-Hops": "x"], body: []),
            BridgeFrame(subject: subject, headers: ["Tidings-Type": "other"], body: []),
            BridgeFrame(subject: subject, body: Array(#"{"number":5}"#.utf8)),
        ]
        try await connection.publish(frames.enumerated().map { .init(row: $0, frame: $1) })
        #expect(try await kitchen.received.wait(for: 1) == [5])
        try await kitchen.status {
            $0.deadLetterCount == 3 && $0.subscriptions["orders.placed"]?.skipped == 1
        }
        let codes = try kitchen.bridge.deadLetters().map(\.code)
        #expect(codes == [.codec, .unsupportedVersion, .malformed])
    }

    @Test func b11_aRemadeStreamIsReportedAndReadFromItsBeginning() async throws {
        let kitchen = try await Peer(server).started()
        try await store([1, 2])
        _ = try await kitchen.received.wait(for: 2)
        try await kitchen.status { $0.subscriptions["orders.placed"]?.handled == 2 }
        server.remakeStream(of: "shop")
        try await store([3])
        #expect(try await kitchen.received.wait(for: 3) == [1, 2, 3])
        let status = try await kitchen.status {
            $0.subscriptions["orders.placed"]?.gaps.isEmpty == false
        }
        #expect(status.subscriptions["orders.placed"]?.gaps.first?.kind == .remade)
    }

    @Test func b11_aStreamThatWentBackAndGrewIsReported() async throws {
        let kitchen = try await Peer(server).started()
        try await store([1, 2, 3])
        _ = try await kitchen.received.wait(for: 3)
        try await kitchen.status { $0.subscriptions["orders.placed"]?.handled == 3 }
        server.isDown = true
        server.goBack(to: 1, in: "shop")
        server.isDown = false
        try await store([4, 5]) { "y-\($0)" }
        #expect(try await kitchen.received.wait(for: 5).suffix(2) == [4, 5])
        try await kitchen.status {
            $0.subscriptions["orders.placed"]?.gaps.first?.kind == .wentBack
        }
    }

    @Test func b11_removedFramesAreReportedWithTheirNumber() async throws {
        try await store([1])
        let first = try await Peer(server).started()
        _ = try await first.received.wait(for: 1)
        try await first.status { $0.subscriptions["orders.placed"]?.handled == 1 }
        try await first.bridge.close(within: .seconds(60))
        try await store([2, 3, 4])
        server.removeFrames(before: 4, of: "shop")
        let second = try await Peer(server, folder: first.folder).started()
        #expect(try await second.received.wait(for: 1) == [4])
        try await second.status {
            $0.subscriptions["orders.placed"]?.gaps.map(\.size) == [2]
        }
    }

    @Test func b11_framesThatWereRemovedBeforeTheFirstWasReadAreReported() async throws {
        let first = try await Peer(server).started()
        try await first.status { $0.isConnected }
        try await first.bridge.close(within: .seconds(60))
        try await store([1, 2, 3])
        server.removeFrames(before: 3, of: "shop")
        let second = try await Peer(server, folder: first.folder).started()
        #expect(try await second.received.wait(for: 1) == [3])
        let status = try await second.status { $0.subscriptions["orders.placed"]?.handled == 1 }
        #expect(status.subscriptions["orders.placed"]?.gaps.map(\.size) == [2])
    }

    @Test func b11_aStreamThatWentBackBeforeTheFirstWasReadIsReported() async throws {
        try await store([1, 2])
        let first = try await Peer(server, from: .now).started()
        try await first.status { $0.isConnected }
        try await first.bridge.close(within: .seconds(60))
        server.goBack(to: 1, in: "shop")
        try await store([3, 4]) { "y-\($0)" }
        let second = try await Peer(server, folder: first.folder, from: .now).started()
        let status = try await second.status {
            $0.subscriptions["orders.placed"]?.position == 3
        }
        #expect(status.subscriptions["orders.placed"]?.gaps.map(\.kind) == [.wentBack])
        #expect(second.received.all == [1, 3, 4])
    }

    @Test func b11_aStreamThatGrewToTheSameMessageAgainHasGoneBack() async throws {
        try await store([1, 2]) { "x-\($0)" }
        let first = try await Peer(server).started()
        try await first.status { $0.subscriptions["orders.placed"]?.handled == 2 }
        try await first.bridge.close(within: .seconds(60))
        server.goBack(to: 0, in: "shop")
        // The sender of 2 had no acknowledgement.
        try await store([3, 2, 4]) { "x-\($0)" }
        let second = try await Peer(server, folder: first.folder).started()
        let status = try await second.status {
            $0.subscriptions["orders.placed"]?.position == 3
        }
        #expect(status.subscriptions["orders.placed"]?.gaps.map(\.kind) == [.wentBack])
        #expect(second.received.all == [3, 4])
    }

    @Test func b11_aSubscriptionStopsIfThePolicySaysSo() async throws {
        var options = BridgeOptions.quick
        options.gapPolicy = .stop
        let kitchen = try await Peer(server, options: options).started()
        try await store([1])
        _ = try await kitchen.received.wait(for: 1)
        try await kitchen.status { $0.subscriptions["orders.placed"]?.handled == 1 }
        server.remakeStream(of: "shop")
        try await kitchen.status { $0.subscriptions["orders.placed"]?.isStopped == true }
        try await store([2])
        kitchen.center.post(Placed(number: 3))
        try await kitchen.status { $0.outboxCount == 0 }
        #expect(kitchen.received.all == [1, 3])
    }

    @Test func b18_handlersRunOnNoThreadOfTheTransportAndMayUseTheBridge() async throws {
        let kitchen = try await Peer(server).started()
        let answered = Received()
        let bridge = kitchen.bridge
        let token = kitchen.center.messages(of: Placed.self).observe(owner: answered) {
            owner,
            message in
            // These calls would never return under a lock of the bridge.
            _ = try bridge.deadLetters()
            if message.number < 10 { kitchen.center.post(Placed(number: message.number + 10)) }
            owner.add(message.number)
        }
        defer { token.cancel() }
        try await store([1])
        #expect(try await answered.wait(for: 2) == [1, 11])
        #expect(try await bridge.close(within: .seconds(60)) == 0)
        #expect(server.frames(of: "shop").count == 2)
    }
}
