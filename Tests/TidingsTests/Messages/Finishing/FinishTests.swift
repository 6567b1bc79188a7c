// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@Suite(.timeLimit(.minutes(15)))
struct FinishTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private func observe(_ sign: Int = 1) {
        center.observe(Ping.self) { [log] in log(sign * $0.number) }.store(in: bag)
    }

    @Test func m15_afterwardsPostsReachNobody() throws {
        observe()
        center.allMessages.observe { [log] _ in log(0) }.store(in: bag)
        center.messages(named: "name").observe { [log] _ in log(0) }.store(in: bag)
        #expect(!center.isFinished)
        center.finish()
        #expect(center.isFinished)
        #expect(center.post(Ping(number: 1)) == 0)
        #expect(center.post(Ping(number: 2), options: [.nested]) == 0)
        #expect(center.post(named: "name") == 0)
        #expect(throws: TidingsError.self) {
            try center.post(Ping(number: 3), requiring: .recipient)
        }
        #expect(log.all == [])
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func m15_afterwardsObservationsHaveEndedFromTheStart() async {
        center.finish()
        let released = Log<Bool>()
        let token: ObservationToken
        do {
            let canary = Canary { released(true) }
            token = center.observe(Ping.self) { _ in canary.stay() }
        }
        #expect(released.all == [true])
        #expect(center.post(Ping()) == 0)
        for await _ in center.messages(of: Pong.self).values {
            Issue.record("There is nothing to read.")
        }
        for await _ in center.messages(of: Pong.self).replaying(.all).values {
            Issue.record("There is nothing to read.")
        }
        token.cancel()
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test(arguments: [false, true])
    func m15_aPostInProgressIsCompleted(isWatched: Bool) {
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

    @Test func m15_whatWasQueuedBeforeItIsDelivered() {
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

    @Test func m5_cancellingStillStopsWhatIsInProgress() {
        let victim = center.messages(of: Ping.self).priority(.low).observe { [log] _ in log(-1) }
        center.observe(Ping.self) { [center, log] message in
            center.finish()
            victim.cancel()
            log(message.number)
        }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == [1])
    }

    @Test func m15_whatHandlersCapturedIsReleased() {
        let released = Log<Int>()
        let owner = Owner()
        do {
            let canaries = (0..<3).map { number in Canary { released(number) } }
            center.observe(Ping.self) { _ in canaries[0].stay() }.store(in: bag)
            center.observe(Ping.self, owner: owner) { _, _ in canaries[1].stay() }
            center.allMessages.observe { _ in canaries[2].stay() }.store(in: bag)
        }
        #expect(released.all == [])
        center.finish()
        #expect(released.all.sorted() == [0, 1, 2])
        withExtendedLifetime(owner) {}
    }

    @Test func m16_errorsOfWhatIsCompletedAreTold() async throws {
        struct Broken: Error {}
        let (gate, done) = (Gate(), Gate())
        center.addErrorHook { [log] _ in log(1) }.store(in: bag)
        center.observe(Ping.self) { [center] _ in
            center.finish()
            throw Broken()
        }.store(in: bag)
        do {
            let canary = Canary { done.open() }
            center.messages(of: Ping.self).buffering(.unbounded).observe { _ in
                canary.stay()
                try await gate.wait()
                throw Broken()
            }.store(in: bag)
        }
        center.post(Ping())
        #expect(log.all == [1])
        gate.open()
        try await done.wait()
        #expect(log.all == [1, 1])
    }

    @Test func m17_aPostAfterwardsIsUnhandledOnce() throws {
        observe()
        center.addUnhandledHook { [weak center, log] _ in
            log(0)
            #expect(center?.post(Pong()) == 0)
        }.store(in: bag)
        center.finish()
        #expect(center.post(Ping()) == 0)
        #expect(log.all == [0])
        #expect(center.post(Pong()) == 0)
        #expect(center.post(named: "name") == 0)
        #expect(log.all == [0, 0, 0])
        #expect(throws: TidingsError.self) { try center.post(Ping(), requiring: .recipient) }
        #expect(log.all == [0, 0, 0, 0])
    }

    @Test func m15_aPostAfterwardsIsTracedAsSuch() {
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
        center.post(Ping(number: 1), options: [.retained])
        center.post(Ping(number: 2), options: [.retainedUntilHandled])
        center.finish()
        #expect(center.retained(Ping.self).isEmpty)
        center.post(Ping(number: 3), options: [.retained])
        center.post(Ping(number: 4), options: [.retainedUntilHandled])
        #expect(center.retained(Ping.self).isEmpty)
    }

    @Test func interceptorsAreNotAskedAnyMore() {
        observe()
        center.messages(of: Ping.self).intercept { [log] message in
            log(-message.number)
            return .deliver
        }.store(in: bag)
        center.post(Ping(number: 1))
        center.finish()
        center.post(Ping(number: 2))
        center.messages(of: Ping.self).intercept { [log] message in
            log(-message.number)
            return .deliver
        }.store(in: bag)
        center.post(Ping(number: 3))
        #expect(log.all == [-1, 1])
    }

    @Test func finishingAgainChangesNothing() async {
        let messages = center.messages(of: Ping.self).values
        center.post(Ping(number: 1))
        let finish = { @Sendable [center] in center.finish() }
        await runOnThreads([finish, finish, finish])
        center.finish()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        #expect(numbers == [1])
    }

    @Test func m9_noLockIsHeldWhenItReleasesWhatWasCaptured() {
        struct Heavy: Message { let canary: Canary }
        let use: @Sendable () -> Void = { [center, log] in
            let isFree = finishesOnAnotherThread {
                center.observe(Heavy.self) { _ in }.cancel()
                center.observe(Ping.self) { _ in }.cancel()
                center.post(Ping())
                center.addErrorHook { _ in }.cancel()
            }
            log(isFree ? 1 : -1)
        }
        do {
            let canary = Canary(use)
            center.observe(Ping.self) { _ in canary.stay() }.store(in: bag)
        }
        center.post(Heavy(canary: Canary(use)), options: [.retained])
        center.finish()
        #expect(log.all == [1, 1])
        center.post(Heavy(canary: Canary(use)), options: [.retained])
        #expect(log.all == [1, 1, 1])
    }
}
