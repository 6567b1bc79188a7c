// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// Observations on an executor.
@Suite(.timeLimit(.minutes(15)))
struct ExecutorTests {
    private let center = MessageCenter()
    private let pool = OneThread()
    private let log = Log<String>()

    @Test func m13_messagesArriveInOrderAndOnTheExecutorAfterEachSuspension() async {
        let token = center.messages(of: Ping.self).observe(on: pool) { [log] message in
            let before = OneThread.isCurrent
            await Task.yield()
            log("\(message.number) \(before) \(OneThread.isCurrent)")
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        await center.postAndWait(Ping(number: 4))
        #expect(log.all == (1...4).map { "\($0) true true" })
        token.cancel()
    }

    @Test func m13_statesArriveInOrder() async throws {
        let publisher = StatePublisher<Int>()
        let done = Gate()
        let token = publisher.states.observe(on: pool) { [log] state in
            log("\(text(state)) \(OneThread.isCurrent)")
            if state.value == 3 { done.open() }
        }
        for number in 1...3 { publisher.updateData(number) }
        try await done.wait()
        #expect(log.all == ["unknown true"] + (1...3).map { "loaded \($0) true" })
        token.cancel()
    }

    @Test func m13_aFullMailboxDropsAndCounts() async throws {
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).buffering(.newest(2)).observe(on: pool) {
            [log] message in
            begun.open()
            try await gate.wait()
            log("\(message.number)")
        }
        center.post(Ping(number: 1))
        try await begun.wait()
        for number in 2...5 { center.post(Ping(number: number)) }
        #expect(token.pending == 2)
        #expect(token.dropped == 2)
        gate.open()
        try await center.finishAndWait()
        #expect(log.all == ["1", "4", "5"])
    }

    @Test func m5_onTheExecutorOfACancellationNoFurtherCallBegins() async {
        let tokens = ObservationBag()
        center.messages(of: Ping.self).observe(on: pool) { [log] message in
            log("\(message.number)")
            tokens.cancelAll()
        }.store(in: tokens)
        for number in 1...3 { center.post(Ping(number: number)) }
        await center.postAndWait(Ping(number: 4))
        #expect(log.all == ["1"])
    }
}
