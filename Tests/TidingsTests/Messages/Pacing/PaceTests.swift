// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@testable import Tidings

/// A message that shows when the center compared two messages.
private struct Level: Message, Equatable {
    let number: Int
    let compared = Gate()

    static func == (one: Level, other: Level) -> Bool {
        one.compared.open()
        other.compared.open()
        return one.number == other.number
    }
}

@Suite(.timeLimit(.minutes(15)))
struct PaceTests {
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private var pings: Selection<Ping> { center.messages(of: Ping.self) }
    private var throttled: Selection<Ping> { pings.throttled(for: .seconds(10), clock: clock) }
    private var debounced: Selection<Ping> { pings.debounced(for: .seconds(10), clock: clock) }

    private func post(_ numbers: Int...) {
        for number in numbers { center.post(Ping(number: number)) }
    }

    /// Lets an interval pass until handlers were called `calls` times.
    private func advance(until calls: Int, of recorder: MessageRecorder<Pong>) async throws {
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        _ = try await recorder.first(calls)
    }

    @Test func theFirstOfThrottledMessagesComesBeforePostReturns() {
        throttled.observe { [log] in log($0.number) }.store(in: bag)
        post(1, 2)
        #expect(log.all == [1])
    }

    @Test func afterTheIntervalTheNewestComes() async throws {
        let handled = handle(throttled)
        post(1, 2, 3, 4, 5)
        try await advance(until: 2, of: handled)
        #expect(log.all == [1, 5])
        clock.advance(by: .seconds(10))
        post(6)
        #expect(log.all == [1, 5, 6])
    }

    @Test func ofDebouncedMessagesTheLastComesAfterAQuietTime() async throws {
        let handled = handle(debounced)
        post(1, 2)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(6))
        post(3)
        clock.advance(by: .seconds(4))
        try await clock.waitForSleepers()
        #expect(log.all == [])
        clock.advance(by: .seconds(6))
        _ = try await handled.first(1)
        #expect(log.all == [3])
    }

    @Test func ofSampledMessagesTheNewestComesInEachInterval() async throws {
        let handled = handle(pings.sampled(every: .seconds(10), clock: clock))
        clock.advance(by: .seconds(3))
        post(1, 2)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(7))
        _ = try await handled.first(1)
        clock.advance(by: .seconds(25))
        post(3)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        _ = try await handled.first(2)
        #expect(log.all == [2, 3])
    }

    /// Logs each message and posts an answer.
    private func handle(_ selection: Selection<Ping>) -> MessageRecorder<Pong> {
        let handled = MessageRecorder(Pong.self, on: center)
        selection.observe { [log, center] message in
            log(message.number)
            center.post(Pong(number: message.number))
        }
        .store(in: bag)
        return handled
    }

    @Test func everyObservationHasAPaceOfItsOwn() {
        let selection = throttled
        selection.observe { [log] in log($0.number) }.store(in: bag)
        post(1)
        selection.observe { [log] in log(10 * $0.number) }.store(in: bag)
        post(2)
        #expect(log.all == [1, 20])
    }

    @Test func aFilterIsAskedBeforeAMessageWaits() async throws {
        let handled = handle(throttled.where { $0.number.isMultiple(of: 2) })
        post(1, 2, 4, 5)
        try await advance(until: 2, of: handled)
        #expect(log.all == [2, 4])
    }

    @Test func duplicatesAreWhatTheHandlerSees() async throws {
        let handled = MessageRecorder(Pong.self, on: center)
        center.messages(of: Level.self).throttled(for: .seconds(10), clock: clock)
            .removingDuplicates().observe { [log, center] level in
                log(level.number)
                center.post(Pong())
            }
            .store(in: bag)
        let last = Level(number: 1)
        for level in [Level(number: 1), Level(number: 2), last] { center.post(level) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await last.compared.wait()
        center.post(Level(number: 3))
        try await advance(until: 2, of: handled)
        #expect(log.all == [1, 3])
    }

    @Test func onceEndsTheObservationWithItsFirstCall() async throws {
        let gate = Gate()
        let token = debounced.once().observe { [log] message in
            log(message.number)
            gate.open()
        }
        post(1, 2)
        #expect(!token.hasEnded)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await gate.wait()
        #expect(token.hasEnded)
        #expect(center.post(Ping(number: 3)) == 0)
        #expect(log.all == [2])
    }

    @Test func m5_cancellingForgetsWhatWaitsAndWakesNobody() async throws {
        let token = throttled.observe { [log] in log($0.number) }
        post(1, 2)
        try await clock.waitForSleepers()
        token.cancel()
        #expect(clock.sleeperCount == 0)
        clock.advance(by: .seconds(10))
        #expect(center.post(Ping(number: 3)) == 0)
        #expect(log.all == [1])
    }

    @Test func m10_theDeathOfAnOwnerForgetsWhatWaits() async throws {
        let released = Gate()
        do {
            let owner = Owner()
            let canary = Canary { released.open() }
            throttled.observe(owner: owner) { [log] _, message in
                canary.stay()
                log(message.number)
            }
            post(1, 2)
            #expect(center.count(of: Ping.self) == 1)
        }
        #expect(center.count(of: Ping.self) == 0)
        #expect(center.post(Ping(number: 3)) == 0)
        try await released.wait()
        #expect(log.all == [1])
    }

    @Test func anOwnersObservationsAreRemovedWithItsPacedOnes() throws {
        let owner = Owner()
        throttled.observe(owner: owner) { owner, message in owner.log(message.number) }
        try center.removeObservations(of: owner)
        #expect(center.post(Ping()) == 0)
    }

    @MainActor @Test func mainActorHandlersAreCalledThere() async throws {
        let gate = Gate()
        throttled.observe(on: .main) { [log] message in
            MainActor.assertIsolated()
            log(message.number)
            if message.number == 3 { gate.open() }
        }
        .store(in: bag)
        post(1, 2, 3)
        #expect(log.all == [1])
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await gate.wait()
        #expect(log.all == [1, 3])
    }

    @Test func sequencesHaveAPaceToo() async throws {
        let messages = debounced.values
        var iterator = messages.makeAsyncIterator()
        post(1, 2, 3)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(await iterator.next()?.number == 3)
    }

    @Test func anErrorGoesToTheHooksOfTheCenter() {
        center.addErrorHook { [log] _ in log(-1) }.store(in: bag)
        throttled.observe { _ in throw CancellationError() }.store(in: bag)
        post(1)
        #expect(log.all == [-1])
    }

    @Test func aBlockedObservationForgetsWhatComes() async throws {
        let token = throttled.observe { [log] in log($0.number) }
        token.block()
        post(1)
        #expect(token.isBlocked)
        token.resume()
        post(2)
        #expect(log.all == [2])
    }

    @Test func m3_whatAHandlerPostsWhenItsTimeComesIsDeliveredAfterIt() async throws {
        let gate = Gate()
        center.observe(Pong.self) { [log] in log(10 * $0.number) }.store(in: bag)
        debounced.observe { [center, log] message in
            center.post(Pong(number: message.number))
            log(message.number)
            Task { gate.open() }
        }
        .store(in: bag)
        post(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await gate.wait()
        await center.postAndWait(Pong(number: 2))
        #expect(log.all == [1, 10, 20])
    }

    @Test func m15_aCenterThatFinishesDeliversWhatWaits() async throws {
        let messages = debounced.values
        post(1, 2)
        center.finish()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        #expect(numbers == [2])
    }

    @Test func aCenterThatGoesDeliversWhatWaits() async throws {
        var center: MessageCenter? = MessageCenter()
        weak let released = center
        let messages = center?.messages(of: Ping.self)
            .debounced(for: .seconds(10), clock: clock).values
        center?.post(Ping(number: 1))
        try await clock.waitForSleepers()
        center = nil
        #expect(released == nil)
        var numbers: [Int] = []
        for await message in try #require(messages) { numbers.append(message.number) }
        #expect(numbers == [1])
    }

    @Test func statesHaveAPaceToo() async throws {
        let publisher = StatePublisher<Int>()
        let gate = Gate()
        publisher.states.debounced(for: .seconds(10), clock: clock).observe { [log] state in
            log(state.value ?? 0)
            gate.open()
        }
        .store(in: bag)
        for number in 1...3 { publisher.updateData(number) }
        #expect(log.all == [])
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await gate.wait()
        #expect(log.all == [3])
    }

    @Test func m9_noLockIsHeldWhileAMessagePassesOrIsReplaced() {
        struct Heavy: Message { let canary: Canary }
        let results = Log<Bool>()
        let selection = center.messages(of: Heavy.self).throttled(for: .seconds(10), clock: clock)
        let use: @Sendable () -> Void = { [center] in
            results(finishesOnAnotherThread { center.post(Heavy(canary: Canary())) })
        }
        selection.observe { _ in use() }.store(in: bag)
        for _ in 0..<3 { center.post(Heavy(canary: Canary(use))) }
        #expect(results.all.count >= 2)
        #expect(results.all.allSatisfy { $0 })
    }

    @Test func theLeakReportShowsTheHandlersPlace() {
        throttled.observe(on: .main) { _ in }.store(in: bag)
        let observations = center.observations()
        #expect(observations.count == 1)
        #expect(observations.first?.observation.kind.place == .main)
    }

    @Test func whateverThreadsPostTheLastMessageComesLast() async throws {
        let gate = Gate()
        pings.throttled(for: .nanoseconds(1)).observe { [log] message in
            log(message.number)
            if message.number == 1_000 { gate.open() }
        }
        .store(in: bag)
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for number in 1...500 { post(number) } } }
        }
        post(1_000)
        try await gate.wait()
        #expect(log.all.last == 1_000)
    }

    @Test func anIntervalMayBeLongerThanAnyClockCanSleep() async throws {
        let clock = FarClock()
        pings.throttled(for: .seconds(Int64.max), clock: clock).observe { [log] in log($0.number) }
            .store(in: bag)
        post(1, 2)
        #expect(try await clock.firstSleep() < .seconds(2_000_000_000))
        #expect(log.all == [1])
    }

    @Test func aSecondPaceIsMisuse() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().messages(of: Ping.self).throttled(for: .seconds(1))
                .debounced(for: .seconds(1))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A selection takes a pace (throttled, debounced or sampled) once."))
    }

    @Test func anIntervalOfZeroIsMisuse() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().messages(of: Ping.self).debounced(for: .zero)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A pace needs an interval above zero, not 0.0 seconds."))
    }
}
