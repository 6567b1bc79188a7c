// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// The wait for everything that was posted before the end of a center.
@Suite(.timeLimit(.minutes(15)))
struct FinishAndWaitTests {
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    /// Starts to wait.
    ///
    /// The center has finished when this method returns.
    @MainActor private func begin(within limit: Duration? = nil) -> Task<Void, any Error> {
        let clock = clock
        return Task.immediate { [center] in
            try await center.finishAndWait(within: limit, clock: clock)
        }
    }

    @Test func m15_aCenterWithNothingToDoIsFinishedAtOnce() async throws {
        center.observe(Ping.self) { [log] in log($0.number) }.store(in: bag)
        center.post(Ping(number: 1))
        try await center.finishAndWait()
        #expect(center.isFinished)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(log.all == [1])
        try await center.finishAndWait()
    }

    @Test @MainActor func m15_itWaitsForMailboxes() async throws {
        let gate = Gate()
        center.messages(of: Ping.self).observe { [log] message in
            try await gate.wait()
            log(message.number)
        }.store(in: bag)
        for number in 1...3 { center.post(Ping(number: number)) }
        let wait = begin()
        gate.open()
        try await wait.value
        #expect(log.all == [1, 2, 3])
    }

    @Test @MainActor func m15_itWaitsForAMailboxWhoseObservationHasEnded() async throws {
        let gate = Gate()
        center.messages(of: Ping.self).once().observe { [log] message in
            try await gate.wait()
            log(message.number)
        }.store(in: bag)
        center.post(Ping(number: 1))
        let wait = begin(within: .seconds(1))
        clock.advance(by: .seconds(1))
        await #expect { try await wait.value } throws: { ($0 as? TidingsError)?.code == .timedOut }
        #expect(log.all == [])
        gate.open()
        try await center.finishAndWait()
        #expect(log.all == [1])
        // The center keeps no registration whose message has been handled.
        #expect(center.drainGroup.remaining.isEmpty)
    }

    @Test func m15_aCenterKeepsNoObservationOnceItsOnlyMessageIsHandled() async {
        weak var captured: Canary?
        do {
            let canary = Canary()
            captured = canary
            center.messages(of: Ping.self).once().observe { (_) async in canary.stay() }
                .store(in: bag)
        }
        await center.postAndWait(Ping())
        #expect(center.channel(of: Ping.self, on: .current).use { $0.draining.isEmpty })
        #expect(captured == nil)
    }

    @Test func m15_itWaitsAfterAnEarlierFinish() async throws {
        let gate = Gate()
        center.messages(of: Ping.self).concurrency(2).observe { [log] message async throws in
            try await gate.wait()
            log(message.number)
        }.store(in: bag)
        for number in 1...3 { center.post(Ping(number: number)) }
        center.finish()
        async let first: Void = center.finishAndWait()
        async let second: Void = center.finishAndWait()
        gate.open()
        _ = try await (first, second)
        #expect(log.all.sorted() == [1, 2, 3])
    }

    @MainActor @Test func m15_itWaitsForTheMainActor() async throws {
        center.observe(Ping.self, on: .main) { [log] in log($0.number) }.store(in: bag)
        let isFree = finishesOnAnotherThread { [center] in
            center.post(Ping(number: 1))
        }
        #expect(isFree)
        try await center.finishAndWait()
        #expect(log.all == [1])
    }

    @Test func m15_itWaitsForAHandlerOnAnotherThread() async throws {
        let (isInside, mayLeave) = (Gate(), DispatchSemaphore(value: 0))
        center.observe(Ping.self) { [log] message in
            isInside.open()
            mayLeave.wait()
            log(message.number)
        }.store(in: bag)
        let poster = Task { await runOnThreads([{ [center] in center.post(Ping(number: 1)) }]) }
        try await isInside.wait()
        async let wait: Void = center.finishAndWait()
        mayLeave.signal()
        try await wait
        #expect(log.all == [1])
        await poster.value
    }

    @Test func m15_itWaitsForReaders() async throws {
        let messages = center.messages(of: Ping.self).values
        for number in 1...3 { center.post(Ping(number: number)) }
        let reader = Task { [log] in
            for await message in messages { log(message.number) }
        }
        try await center.finishAndWait()
        #expect(log.all == [1, 2, 3])
        await reader.value
    }

    @Test func m15_aDroppedSequenceHoldsNothingUp() async throws {
        var messages: ObservationSequence<Ping>? = center.messages(of: Ping.self).values
        center.post(Ping())
        #expect(messages?.pending == 1)
        messages = nil
        try await center.finishAndWait()
    }

    @Test func m15_itWaitsForAnElementThatKeepsAPace() async throws {
        center.messages(of: Ping.self).debounced(for: .seconds(1), clock: clock).observe {
            [log] message async in log(message.number)
        }.store(in: bag)
        center.post(Ping(number: 1))
        try await center.finishAndWait()
        #expect(log.all == [1])
    }

    @Test @MainActor func m15_theLimitNamesTheObservationsThatAreLeft() async throws {
        let gate = Gate()
        center.messages(of: Ping.self).observe { _ in try await gate.wait() }.store(in: bag)
        center.messages(of: Pong.self).observe { _ in }.store(in: bag)
        let unread = center.messages(of: Ping.self).values
        for number in 1...3 { center.post(Ping(number: number)) }
        let wait = begin(within: .seconds(5))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let error = try await #require(throws: TidingsError.self) { try await wait.value }
        #expect(error.code == .timedOut)
        #expect(error.message.contains("after 5.0 seconds"))
        #expect(error.message.contains("(async handler, "))
        #expect(error.message.contains("(sequence, 3 waiting)"))
        #expect(!error.message.contains("Pong"))
        #expect(center.isFinished)
        gate.open()
        bag.cancelAll()
        withExtendedLifetime(unread) {}
    }

    @Test @MainActor func m15_aCancelledWaitEndsAtOnce() async throws {
        let gate = Gate()
        center.messages(of: Ping.self).observe { _ in try await gate.wait() }.store(in: bag)
        center.post(Ping())
        let wait = begin()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        gate.open()
    }

    @Test func m15_insideAHandlerItDoesNotWaitForThatHandler() async throws {
        let done = Gate()
        center.messages(of: Ping.self).observe { [center, log] message in
            try await center.finishAndWait()
            log(message.number)
            done.open()
        }.store(in: bag)
        center.messages(of: Ping.self).observe { [log] message async in log(0) }.store(in: bag)
        center.post(Ping(number: 1))
        try await done.wait()
        #expect(log.all == [0, 1])
        try await center.finishAndWait()
    }
}
