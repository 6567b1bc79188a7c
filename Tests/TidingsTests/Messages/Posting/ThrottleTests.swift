// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@testable import Tidings

/// A message that does something when it dies.
private struct Mortal: Message {
    let id: Int
    var canary = Canary()
}

@Suite(.timeLimit(.minutes(5)))
struct ThrottleTests {
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let recorder: MessageRecorder<Ping>
    private let throttle: Throttle<Ping>

    init() {
        recorder = MessageRecorder(Ping.self, on: center)
        throttle = center.throttled(Ping.self, every: .seconds(10), clock: clock)
    }

    private var numbers: [Int] { recorder.messages.map(\.number) }

    @Test func theFirstIsPostedBeforePostReturns() {
        throttle.post(Ping(number: 1))
        #expect(numbers == [1])
    }

    @Test func afterTheIntervalTheNewestIsPosted() async throws {
        for number in 1...5 { throttle.post(Ping(number: number)) }
        try await clock.waitForSleepers()
        #expect(numbers == [1])
        clock.advance(by: .seconds(10))
        #expect(try await recorder.first(2).map(\.number) == [1, 5])
    }

    @Test func aMessageAfterAQuietIntervalIsPostedAtOnce() {
        throttle.post(Ping(number: 1))
        clock.advance(by: .seconds(10))
        throttle.post(Ping(number: 2))
        #expect(numbers == [1, 2])
    }

    @Test func droppingTheThrottleLosesNothing() async throws {
        var short: Throttle? = center.throttled(Ping.self, every: .seconds(1), clock: clock)
        short?.post(Ping(number: 1))
        short?.post(Ping(number: 2))
        short = nil
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await recorder.first(2).map(\.number) == [1, 2])
    }

    @Test func flushingPostsWhatWaitsBeforeItReturns() {
        throttle.post(Ping(number: 1))
        throttle.post(Ping(number: 2))
        throttle.flush()
        throttle.flush()
        #expect(numbers == [1, 2])
    }

    @Test func discardingForgetsWhatWaitsAndWakesNobody() async throws {
        throttle.post(Ping(number: 1))
        throttle.post(Ping(number: 2))
        try await clock.waitForSleepers()
        throttle.discard()
        #expect(clock.sleeperCount == 0)
        clock.advance(by: .seconds(10))
        throttle.post(Ping(number: 3))
        #expect(numbers == [1, 3])
    }

    @Test func whatADiscardedMessagePostsWhenItDiesIsPostedInItsTime() async throws {
        let mortals = center.throttled(Mortal.self, every: .seconds(1), clock: clock)
        let names = MessageRecorder(Mortal.self, on: center)
        mortals.post(Mortal(id: 1))
        mortals.post(Mortal(id: 2, canary: Canary { mortals.post(Mortal(id: 3)) }))
        try await clock.waitForSleepers()
        mortals.discard()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await names.first(2).map(\.id) == [1, 3])
    }

    @Test func anIntervalMayBeLongerThanAnyClockCanSleep() async throws {
        let clock = FarClock()
        let throttle = center.throttled(Ping.self, every: .seconds(Int64.max), clock: clock)
        throttle.post(Ping(number: 1))
        throttle.post(Ping(number: 2))
        #expect(try await clock.firstSleep() < .seconds(2_000_000_000))
        throttle.flush()
        #expect(numbers == [1, 2])
    }

    @Test func nothingOvertakesAPostInsideAHandler() async throws {
        let token = center.observe(Pong.self) { [throttle] _ in
            throttle.post(Ping(number: 1))
            let isDone = finishesOnAnotherThread {
                // The first one is still queued.
                throttle.post(Ping(number: 2))
                throttle.flush()
            }
            #expect(isDone)
        }
        center.post(Pong())
        #expect(numbers == [1])
        #expect(try await recorder.first(2).map(\.number) == [1, 2])
        token.cancel()
    }

    @Test func aHandlerMayPostToItsOwnThrottle() async throws {
        let token = center.observe(Ping.self) { [throttle] message in
            if message.number < 3 { throttle.post(Ping(number: message.number + 1)) }
        }
        throttle.post(Ping(number: 1))
        for count in 2...3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
            _ = try await recorder.first(count)
        }
        #expect(numbers == [1, 2, 3])
        token.cancel()
    }

    @Test func m9_noLockIsHeldWhileAMessageIsPosted() {
        let log = Log<Bool>()
        let token = center.observe(Ping.self) { [throttle] _ in
            log(
                finishesOnAnotherThread {
                    throttle.post(Ping())
                    throttle.flush()
                    throttle.discard()
                }
            )
        }
        throttle.post(Ping())
        #expect(log.all == [true])
        token.cancel()
    }

    @Test func m9_noLockIsHeldWhileAMessageIsReplacedOrDiscarded() {
        struct Heavy: Message { let canary: Canary }
        let log = Log<Bool>()
        let throttle = center.throttled(Heavy.self, every: .seconds(10), clock: clock)
        let use: @Sendable () -> Void = { log(finishesOnAnotherThread { throttle.flush() }) }
        throttle.post(Heavy(canary: Canary()))
        throttle.post(Heavy(canary: Canary(use)))
        // Its flush posts this one, which is released in its turn.
        throttle.post(Heavy(canary: Canary(use)))
        #expect(log.all == [true, true])
    }

    @Test func watchersSeeWhereTheMessageWasPosted() async throws {
        let places = Log<String>()
        let token = center.watch(posting: { places($0.location) })
        throttle.post(Ping(number: 1))
        let line: UInt = #line + 1
        throttle.post(Ping(number: 2))
        throttle.flush()
        #expect(places.all.last == "\(#fileID):\(line)")
        token.cancel()
    }

    @Test func whatItIsAboutIsPostedWithIt() {
        let subject = Canary()
        let log = Log<Int>()
        let token = center.messages(of: Ping.self).about(subject).observe { log($0.number) }
        throttle.post(Ping(number: 1), about: subject)
        throttle.post(Ping(number: 2))
        throttle.flush()
        #expect(log.all == [1])
        token.cancel()
    }

    @Test func theCenterIsNotKept() async throws {
        var center: MessageCenter? = MessageCenter()
        weak let released = center
        let throttle = try #require(center).throttled(
            Ping.self,
            every: .seconds(10),
            clock: clock
        )
        let token = center?.observe(Ping.self) { _ in throttle.flush() }
        throttle.post(Ping(number: 1))
        throttle.post(Ping(number: 2))
        try await clock.waitForSleepers()
        center = nil
        #expect(released == nil)
        throttle.post(Ping(number: 3))
        throttle.flush()
        token?.cancel()
    }

    @Test func whateverThreadsPostTheLastMessageComesLast() async throws {
        let clock = ContinuousClock()
        let throttle = center.throttled(Ping.self, every: .nanoseconds(1), clock: clock)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 1...500 { throttle.post(Ping(number: number)) }
                }
            }
        }
        let gate = Gate()
        let token = center.observe(Ping.self) { if $0.number == 1_000 { gate.open() } }
        throttle.post(Ping(number: 1_000))
        try await gate.wait()
        #expect(numbers.last == 1_000)
        token.cancel()
    }

    @Test func anIntervalOfZeroIsMisuse() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().throttled(Ping.self, every: .zero)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A throttle needs an interval above zero, not 0.0 seconds."))
    }
}
