// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(5)))
struct FinishTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private func observe(_ sign: Int = 1) {
        center.observe(Ping.self) { [log] in log(sign * $0.number) }.store(in: bag)
    }

    @Test func promise15_afterwardsPostsReachNobody() throws {
        observe()
        center.observeAll { [log] _ in log(0) }.store(in: bag)
        center.observe(named: "name") { [log] _, _ in log(0) }.store(in: bag)
        #expect(!center.isFinished)
        center.finish()
        #expect(center.isFinished)
        #expect(center.post(Ping(number: 1)) == 0)
        #expect(center.post(Ping(number: 2), delivery: .nested) == 0)
        #expect(center.post(named: "name") == 0)
        #expect(throws: TidingsError.self) {
            try center.post(Ping(number: 3), delivery: .required)
        }
        #expect(log.all == [])
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func promise15_afterwardsObservationsHaveEndedFromTheStart() async {
        center.finish()
        let released = Log<Bool>()
        let token: ObservationToken
        do {
            let canary = Canary { released(true) }
            token = center.observe(Ping.self) { _ in canary.stay() }
        }
        #expect(released.all == [true])
        #expect(center.post(Ping()) == 0)
        for await _ in center.messages(of: Pong.self) { Issue.record("There is nothing to read.") }
        for await _ in center.messages(of: Pong.self, replay: .all) {
            Issue.record("There is nothing to read.")
        }
        token.cancel()
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func promise15_sequencesDrainAndEnd() async {
        let first = center.messages(of: Ping.self)
        let second = center.messages(of: Ping.self, buffering: .newest(1))
        for number in 1...3 { center.post(Ping(number: number)) }
        center.finish()
        center.post(Ping(number: 4))
        var numbers: [Int] = []
        for await message in first { numbers.append(message.number) }
        for await message in second { numbers.append(message.number) }
        #expect(numbers == [1, 2, 3, 3])
    }

    @Test func promise15_aReaderThatWaitsIsEnded() async throws {
        let messages = center.messages(of: Ping.self)
        let read = MessageRecorder(Pong.self, on: MessageCenter.default)
        withExtendedLifetime(read) {}
        let reader = Task {
            var numbers: [Int] = []
            for await message in messages { numbers.append(message.number) }
            return numbers
        }
        center.post(Ping(number: 1))
        center.finish()
        #expect(await reader.value == [1])
    }

    @Test func promise15_mailboxesDrainAndEnd() async throws {
        let gate = Gate()
        let done = Gate()
        do {
            let canary = Canary { done.open() }
            center.observe(Ping.self, buffering: .unbounded) { [log] message in
                canary.stay()
                try await gate.wait()
                log(message.number)
            }.store(in: bag)
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        center.finish()
        #expect(center.post(Ping(number: 4)) == 0)
        gate.open()
        // The handler is released when it has worked off what was there.
        try await done.wait()
        #expect(log.all == [1, 2, 3])
    }

    @MainActor @Test func promise15_whatWaitsForTheMainActorIsDelivered() async throws {
        let done = Gate()
        do {
            let canary = Canary { done.open() }
            center.observe(Ping.self, on: .main) { [log] message in
                canary.stay()
                log(message.number)
            }.store(in: bag)
        }
        let isFree = finishesOnAnotherThread { [center] in
            for number in 1...2 { center.post(Ping(number: number)) }
            center.finish()
            center.post(Ping(number: 3))
        }
        #expect(isFree)
        try await done.wait()
        #expect(log.all == [1, 2])
    }

    @MainActor @Test func promise15_aMainActorHandlerIsReleasedAtOnceIfNothingWaits() {
        let released = Log<Bool>()
        do {
            let canary = Canary { released(true) }
            center.observe(Ping.self, on: .main) { _ in canary.stay() }.store(in: bag)
        }
        center.finish()
        #expect(released.all == [true])
    }

    @Test(arguments: [false, true])
    func promise15_aPostInProgressIsCompleted(isWatched: Bool) {
        if isWatched { center.watch(delivered: { _ in }).store(in: bag) }
        center.observe(Ping.self) { [center, log] message in
            log(message.number)
            center.finish()
            #expect(center.post(Ping(number: 5)) == 0)
        }.store(in: bag)
        observe(-1)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(log.all == [1, -1])
    }

    @Test func promise15_whatWasQueuedBeforeItIsDelivered() {
        center.observe(Ping.self) { [center, log] message in
            log(message.number)
            guard message.number == 1 else { return }
            #expect(center.post(Ping(number: 2)) == 1)
            center.finish()
            #expect(center.post(Ping(number: 3)) == 0)
        }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == [1, 2])
    }

    @Test func promise5_cancellingStillStopsWhatIsInProgress() {
        let victim = center.observe(Ping.self, priority: .low) { [log] _ in log(-1) }
        center.observe(Ping.self) { [center, log] message in
            center.finish()
            victim.cancel()
            log(message.number)
        }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == [1])
    }

    @Test func promise15_whatHandlersCapturedIsReleased() {
        let released = Log<Int>()
        let owner = Owner()
        do {
            let canaries = (0..<3).map { number in Canary { released(number) } }
            center.observe(Ping.self) { _ in canaries[0].stay() }.store(in: bag)
            center.observe(Ping.self, owner: owner) { _, _ in canaries[1].stay() }
            center.observeAll { _ in canaries[2].stay() }.store(in: bag)
        }
        #expect(released.all == [])
        center.finish()
        #expect(released.all.sorted() == [0, 1, 2])
        withExtendedLifetime(owner) {}
    }

    @Test func promise15_aStoppedReaderDelaysNeitherThePosterNorOthers() async {
        let stopped = center.messages(of: Ping.self)
        var iterator = stopped.makeAsyncIterator()
        center.post(Ping(number: 0))
        _ = await iterator.next()
        let other = center.messages(of: Ping.self)
        for number in 1...100 { center.post(Ping(number: number)) }
        center.finish()
        var numbers: [Int] = []
        for await message in other { numbers.append(message.number) }
        #expect(numbers == Array(1...100))
        #expect(await iterator.next()?.number == 1)
    }

    @Test func promise15_hooksAreNotCalledAnyMore() {
        struct Broken: Error {}
        center.setErrorHook { [log] _ in log(1) }
        center.setUnhandledHook { [log] _ in log(2) }
        center.observe(Ping.self) { [center] _ in
            center.finish()
            throw Broken()
        }.store(in: bag)
        center.post(Ping())
        center.post(Pong())
        center.setErrorHook { [log] _ in log(3) }
        center.setUnhandledHook { [log] _ in log(4) }
        center.post(Pong())
        #expect(log.all == [])
    }

    @Test func promise15_aPostAfterwardsIsTracedAsSuch() {
        observe()
        let outcomes = Log<PostOutcome>()
        let token = center.watch(delivered: { outcomes($0.outcome) })
        center.post(Ping())
        center.finish()
        center.post(Ping())
        center.post(named: "name")
        token.cancel()
        #expect(outcomes.all == [.delivered, .finished, .finished])
    }

    @Test func nothingIsRetainedAnyMore() {
        center.post(Ping(number: 1), retention: .latest)
        center.post(Ping(number: 2), retention: .untilHandled)
        center.finish()
        #expect(center.retained(Ping.self).isEmpty)
        center.post(Ping(number: 3), retention: .latest)
        center.post(Ping(number: 4), retention: .untilHandled)
        #expect(center.retained(Ping.self).isEmpty)
    }

    @Test func interceptorsAreNotAskedAnyMore() {
        observe()
        center.intercept(Ping.self) { [log] message in
            log(-message.number)
            return message
        }.store(in: bag)
        center.post(Ping(number: 1))
        center.finish()
        center.post(Ping(number: 2))
        center.intercept(Ping.self) { [log] message in
            log(-message.number)
            return message
        }.store(in: bag)
        center.post(Ping(number: 3))
        #expect(log.all == [-1, 1])
    }

    @Test func whatRunsWhileObservedStops() {
        center.whileObserved(Ping.self, start: { [log] in log(1) }, stop: { [log] in log(2) })
            .store(in: bag)
        observe()
        #expect(log.all == [1])
        center.finish()
        #expect(log.all == [1, 2])
        observe()
        center.whileObserved(Ping.self, start: { [log] in log(3) }, stop: { [log] in log(4) })
            .store(in: bag)
        #expect(log.all == [1, 2])
    }

    @Test func registeredObjectsAreNotNotifiedAnyMore() throws {
        let listener = FinishListener()
        try center.register((any FinishListening).self, observer: listener)
        center.notify((any FinishListening).self) { $0.hear() }
        center.finish()
        center.notify((any FinishListening).self) { $0.hear() }
        try center.register((any FinishListening).self, observer: listener)
        center.notify((any FinishListening).self) { $0.hear() }
        #expect(listener.heard.all == [true])
        #expect(!center.isRegistered((any FinishListening).self, observer: listener))
    }

    @Test func aPosterThatWaitsForRoomIsInProgress() async throws {
        let messages = center.messages(of: Ping.self, buffering: .oldest(1))
        center.post(Ping(number: 1))
        let waiting = Task { try await center.post(Ping(number: 2), waitingFor: .buffers) }
        // It waits, or will find the center finished: both are right.
        center.finish()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        let recipients = try await waiting.value
        #expect(numbers == (recipients == 1 ? [1, 2] : [1]))
    }

    @Test func aPosterThatStopsWaitingForRoomHoldsNothingUp() async throws {
        let messages = center.messages(of: Ping.self, buffering: .oldest(1))
        center.post(Ping(number: 1))
        let waiting = Task { try await center.post(Ping(number: 2), waitingFor: .buffers) }
        center.finish()
        waiting.cancel()
        _ = await waiting.result
        var iterator = messages.makeAsyncIterator()
        #expect(await iterator.next()?.number == 1)
        _ = await iterator.next()
        #expect(await iterator.next() == nil)
    }

    @Test func finishingAgainChangesNothing() async {
        let messages = center.messages(of: Ping.self)
        center.post(Ping(number: 1))
        let finish = { @Sendable [center] in center.finish() }
        await runOnThreads([finish, finish, finish])
        center.finish()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        #expect(numbers == [1])
    }

    @Test func promise9_noLockIsHeldWhenItReleasesWhatWasCaptured() {
        struct Heavy: Message { let canary: Canary }
        let use: @Sendable () -> Void = { [center, log] in
            let isFree = finishesOnAnotherThread {
                center.observe(Heavy.self) { _ in }.cancel()
                center.observe(Ping.self) { _ in }.cancel()
                center.post(Ping())
                center.setErrorHook(nil)
            }
            log(isFree ? 1 : -1)
        }
        do {
            let canary = Canary(use)
            center.observe(Ping.self) { _ in canary.stay() }.store(in: bag)
        }
        do {
            let canary = Canary(use)
            center.setErrorHook { _ in canary.stay() }
        }
        center.post(Heavy(canary: Canary(use)), retention: .latest)
        center.finish()
        #expect(log.all == [1, 1, 1])
        center.post(Heavy(canary: Canary(use)), retention: .latest)
        #expect(log.all == [1, 1, 1, 1])
    }
}

private protocol FinishListening: AnyObject, Sendable {
    func hear()
}

private final class FinishListener: FinishListening {
    let heard = Log<Bool>()

    func hear() { heard(true) }
}
