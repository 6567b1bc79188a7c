// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting
import TidingsTracing

/// A center that is finished by code that the center calls.
@Suite(.timeLimit(.minutes(15)))
struct FinishInsideTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private func observe(_ sign: Int = 1) {
        center.observe(Ping.self) { [log] in log(sign * $0.number) }.store(in: bag)
    }

    @Test func m15_inAFilterTheDeliveryIsCompleted() {
        center.messages(of: Ping.self).where { [center] _ in center.isFinishedNow }.observe {
            [log] in
            log($0.number)
        }.store(in: bag)
        observe(-1)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == [1, -1])
        #expect(center.post(Ping(number: 2)) == 0)
    }

    @Test func m15_inAnInterceptorTheMessageReachesNobodyOrAll() {
        center.messages(of: Ping.self).intercept { [center] _ in
            center.finish()
            return .deliver
        }.store(in: bag)
        observe()
        let addressed = center.post(Ping(number: 1))
        #expect(log.all.count == addressed)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(log.all.count == addressed)
    }

    @Test func m15_aMessageThatIsDroppedHoldsNobodyUp() {
        let released = Log<Bool>()
        do {
            let canary = Canary { released(true) }
            center.observe(Ping.self) { _ in canary.stay() }.store(in: bag)
        }
        center.messages(of: Ping.self).intercept { [center] message in
            if message.number == 2 { center.finish() }
            return .drop
        }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 0)
        #expect(released.all == [])
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(released.all == [true])
    }

    @Test func m15_inAWatcherTheDeliveryIsCompleted() {
        let watch = center.watch(posting: { [center] _ in center.finish() })
        observe()
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(log.all == [1])
        watch.cancel()
    }

    @Test func m15_inAHookNothingIsToldTwice() {
        center.addUnhandledHook { [weak center, log] _ in
            log(1)
            center?.finish()
            center?.post(Ping())
        }.store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(log.all == [1])
    }

    @Test func m15_whenAnObservationStartsSomethingItIsStopped() {
        center.whileObserved(
            Ping.self,
            start: { [center, log] in
                log(1)
                center.finish()
            },
            stop: { [log] in log(2) }
        ).store(in: bag)
        observe()
        #expect(log.all == [1, 2])
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func m15_inADeinitWithinADelivery() {
        final class Box: Sendable {
            let canary = Lock<Canary?>(nil)
        }
        let box = Box()
        box.canary.withLock { $0 = Canary { [center] in center.finish() } }
        center.observe(Ping.self) { _ in
            let canary = box.canary.withLock { $0.take() }
            canary?.stay()
        }.store(in: bag)
        observe()
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == [1])
        #expect(center.isFinished)
    }

    @Test func m15_nestedPostsOfBothModesAreCompleted() {
        center.observe(Ping.self) { [center, log] message in
            log(message.number)
            guard message.number == 1 else { return }
            #expect(center.post(Ping(number: 2)) == 2)
            #expect(center.post(Ping(number: 3), options: [.nested]) == 2)
            center.finish()
            #expect(center.post(Ping(number: 4), options: [.nested]) == 0)
            #expect(center.post(Ping(number: 5)) == 0)
        }.store(in: bag)
        observe(-1)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == [1, 3, -3, -1, 2, -2])
    }

    @Test func m15_aDecisionStillCounts() {
        center.messages(of: Ping.self).intercept { [center] _ in
            center.finish()
            return .stop
        }.store(in: bag)
        observe()
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(log.all == [])
    }

    @Test func m15_anObservationThatEndsWithItsFirstCallIsCalledOnce() {
        center.messages(of: Ping.self).once().observe { [center, log] message in
            log(message.number)
            center.post(Ping(number: 2))
            center.finish()
        }.store(in: bag)
        observe(-1)
        center.post(Ping(number: 1))
        #expect(log.all == [1, -1, -2])
    }

    @Test func m18_aReplayInProgressIsCompleted() {
        for number in 1...3 { center.post(Ping(number: number), options: .retained(last: 3)) }
        center.messages(of: Ping.self).replaying(.all).observe { [center, log] message in
            log(message.number)
            center.finish()
        }.store(in: bag)
        #expect(log.all == [1, 2, 3])
        #expect(center.post(Ping(number: 4)) == 0)
        #expect(center.retained(Ping.self).isEmpty)
        #expect(center.observations().isEmpty)
    }

    @Test func m18_whatWaitsBehindAReplayIsCompleted() {
        center.post(Ping(number: 1), options: [.retained])
        // Posters see the observation when this closure starts, but no message was delivered yet.
        center.whileObserved(
            Ping.self,
            start: { [center, log] in
                let isFree = finishesOnAnotherThread {
                    log(-center.post(Ping(number: 2)))
                    center.finish()
                }
                #expect(isFree)
            },
            stop: { [log] in log(0) }
        ).store(in: bag)
        center.messages(of: Ping.self).replaying(.all).observe { [log] in log($0.number) }.store(
            in: bag
        )
        #expect(log.all == [-1, 1, 2, 0])
    }

    @Test func m18_whatIsHandedOverIsCompletedAndNothingWaitsAgain() {
        let released = Log<Int>()
        struct Heavy: Message {
            let number: Int
            let canary: Canary
        }
        for number in 1...3 {
            let canary = Canary { released(number) }
            center.post(Heavy(number: number, canary: canary), options: [.retainedUntilHandled])
        }
        center.messages(of: Heavy.self).where { $0.number < 3 }.observe { [center, log] message in
            log(message.number)
            center.finish()
        }.store(in: bag)
        #expect(log.all == [1, 2])
        #expect(released.all.sorted() == [1, 2, 3])
    }

    @MainActor @Test func m15_inAMainActorHandlerWhatWaitsThereIsDelivered() async throws {
        let (done, released) = (Gate(), Gate())
        do {
            let canary = Canary { released.open() }
            center.observe(Ping.self, on: .main) { [center, log] message in
                canary.stay()
                log(message.number)
                center.finish()
                if message.number == 3 { done.open() }
            }.store(in: bag)
        }
        center.observe(Pong.self, on: .main) { [log] in log(-$0.number) }.store(in: bag)
        let isFree = finishesOnAnotherThread { [center] in
            for number in 1...3 {
                center.post(Pong(number: number))
                center.post(Ping(number: number))
            }
        }
        #expect(isFree)
        try await done.wait()
        try await released.wait()
        #expect(log.all == [-1, 1, -2, 2, -3, 3])
        #expect(center.post(Ping(number: 4)) == 0)
    }

    @MainActor @Test func m15_inAMainActorHandlerThatRunsInline() {
        let released = Log<Bool>()
        do {
            let canary = Canary { released(true) }
            center.observe(Ping.self, on: .main) { [center, log] message in
                canary.stay()
                center.finish()
                log(message.number)
            }.store(in: bag)
        }
        center.observe(Ping.self, on: .main) { [log] in log(-$0.number) }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == [1, -1])
        #expect(released.all == [true])
    }

    @Test func m15_inAnAsynchronousHandlerTheMailboxIsWorkedOff() async throws {
        let done = Gate()
        do {
            let canary = Canary { done.open() }
            center.messages(of: Ping.self).buffering(.unbounded).observe { [center, log] message in
                canary.stay()
                center.finish()
                log(message.number)
            }.store(in: bag)
        }
        for number in 1...3 { _ = center.post(Ping(number: number)) }
        try await done.wait()
        // The first call may have come before the last posts.
        #expect(log.all == Array(1...log.all.count))
    }

    @Test func m15_whoPostedAndWaitsIsToldOfEverything() async {
        struct Broken: Error {}
        center.messages(of: Ping.self).buffering(.unbounded).observe { [center] _ in
            center.finish()
            await Task.yield()
            throw Broken()
        }.store(in: bag)
        center.observe(Ping.self, on: .main) { _ in throw Broken() }.store(in: bag)
        let report = await center.postAndWait(Ping())
        #expect(report.recipients == 2)
        #expect(report.failures.count == 2)
        #expect(report.unfinished == 0)
    }

    @Test func m13_cancellingAfterwardsStillEmptiesTheMailbox() async throws {
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).buffering(.unbounded).observe { [log] message in
            begun.open()
            try? await gate.wait()
            log(message.number)
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        try await begun.wait()
        center.finish()
        #expect(token.pending == 2)
        token.cancel()
        #expect(token.pending == 0)
        gate.open()
        await token.cancelAndWait()
        #expect(log.all == [1])
    }

    @MainActor @Test func m5_cancellingAfterwardsStillStopsWhatWaitsForTheMainActor()
        async throws
    {
        let token = center.observe(Ping.self, on: .main) { [log] in log($0.number) }
        observe(-1)
        let isFree = finishesOnAnotherThread { [center] in
            center.post(Ping(number: 1))
            center.finish()
        }
        #expect(isFree)
        token.cancel()
        try await center.waitForMainActorHandlers()
        #expect(log.all == [-1])
    }

    @Test func m8_anOwnerThatDiesAfterwardsIsNotCalled() async throws {
        let (begun, gate) = (Gate(), Gate())
        var owner: Owner? = Owner()
        let released = Gate()
        do {
            let canary = Canary { released.open() }
            if let owner {
                center.messages(of: Ping.self).buffering(.unbounded).observe(owner: owner) {
                    [log] owner, message in
                    canary.stay()
                    begun.open()
                    try? await gate.wait()
                    log(message.number)
                }
            }
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        try await begun.wait()
        center.finish()
        weak let watched = owner
        owner = nil
        #expect(watched != nil)
        gate.open()
        try await released.wait()
        #expect(watched == nil)
        #expect(log.all == [1])
    }
}

extension MessageCenter {
    /// Finishes the center and returns true then.
    fileprivate var isFinishedNow: Bool {
        finish()
        return isFinished
    }
}
