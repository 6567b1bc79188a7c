// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct OnceAndFilterTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    @Test func onceEndsWithTheFirstCall() {
        center.messages(of: Ping.self).once().observe { [log] in log($0.number) }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(log.all == [1])
    }

    @Test func onceHoldsAlsoWhenItsHandlerPosts() {
        center.messages(of: Ping.self).once().observe { [center, log] in
            log($0.number)
            center.post(Ping(number: $0.number + 1), options: [.nested])
        }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == [1])
    }

    @Test func onceHoldsAlsoWhenManyThreadsPost() {
        for _ in 0..<200 {
            let calls = Log<Int>()
            let token = center.messages(of: Ping.self).once().observe { calls($0.number) }
            DispatchQueue.concurrentPerform(iterations: 4) { center.post(Ping(number: $0)) }
            #expect(calls.all.count == 1)
            token.cancel()
        }
    }

    @Test func onceWithAFilterWaitsForAMessageThatPasses() {
        let filter: @Sendable (Ping) -> Bool = { $0.number > 2 }
        center.messages(of: Ping.self).once().where(filter).observe { [log] in log($0.number) }
            .store(in: bag)
        for number in 1...4 { center.post(Ping(number: number)) }
        #expect(log.all == [3])
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func onceReleasesItsHandler() {
        weak var released: Canary?
        let token: ObservationToken
        do {
            let canary = Canary()
            released = canary
            token = center.messages(of: Ping.self).once().observe { _ in canary.stay() }
        }
        center.post(Ping())
        #expect(released == nil)
        token.cancel()
    }

    @MainActor @Test func onceOnTheMainActorIsCalledOnceForWhatWaited() {
        center.messages(of: Ping.self).once().observe(on: .main) { [log] in log($0.number) }.store(
            in: bag
        )
        let isDone = finishesOnAnotherThread { [center] in
            for number in 1...3 { center.post(Ping(number: number)) }
        }
        #expect(isDone)
        center.mainQueue.drain(for: center)
        #expect(log.all == [1])
    }

    @Test func m4_filtersRunAfterThePostHasCounted() {
        let owner = Owner()
        let filter: @Sendable (Ping) -> Bool = { $0.number > 1 }
        center.messages(of: Ping.self).where(filter).observe(owner: owner) { $0.log($1.number) }
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Ping(number: 2)) == 1)
        #expect(owner.log.all == [2])
    }

    @Test func m5_aFilterThatCancelsItsObservationStopsTheCall() {
        let filter: @Sendable (Ping) -> Bool = { [bag] _ in
            bag.cancelAll()
            return true
        }
        center.messages(of: Ping.self).where(filter).observe { [log] in log($0.number) }.store(
            in: bag
        )
        center.post(Ping(number: 1))
        #expect(log.all.isEmpty)
    }

    @Test func filtersComeAndGoWhileOthersPost() async throws {
        let released = Log<Int>()
        let posters = (0..<3).map { _ in
            { @Sendable [center] in for _ in 0..<2_000 { center.post(Ping()) } }
        }
        let waiting = Task { [center] in
            for _ in 0..<500 { await center.postAndWait(Ping()) }
        }
        await runOnThreads(
            posters + [
                { [center] in
                    for round in 0..<500 {
                        let canary = Canary { released(round) }
                        let filter: @Sendable (Ping) -> Bool = { _ in
                            canary.stay()
                            return true
                        }
                        let messages = center.messages(of: Ping.self).buffering(.newest(1_000_000))
                            .where(filter).values
                        center.messages(of: Ping.self).where(filter).observe { _ in }.cancel()
                        messages.cancel()
                    }
                }
            ]
        )
        await waiting.value
        #expect(released.all.count == 500)
    }

    @Test func m9_noLockIsHeldInAFilter() {
        let isFree = Log<Bool>()
        let filter: @Sendable (Ping) -> Bool = { [center] _ in
            isFree(finishesOnAnotherThread { center.observe(Ping.self) { _ in }.cancel() })
            return true
        }
        center.messages(of: Ping.self).where(filter).observe { _ in }.store(in: bag)
        center.post(Ping())
        #expect(isFree.all == [true])
    }
}
