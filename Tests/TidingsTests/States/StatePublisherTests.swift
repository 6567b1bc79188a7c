// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings

private struct Failure: Error {}

@Suite(.timeLimit(.minutes(15)))
struct StatePublisherTests {
    private let publisher = StatePublisher<Int>()

    @Test func tellsTheCurrentStateAndThenEveryChange() {
        let log = Log<String>()
        let token = publisher.observe { log(text($0)) }
        publisher.startLoading()
        publisher.updateData(1)
        publisher.startLoading()
        publisher.setError(Failure())
        publisher.reset()
        token.cancel()
        publisher.updateData(2)
        #expect(
            log.all == [
                "unknown", "loading -", "loaded 1", "loading 1", "error", "unknown",
            ]
        )
    }

    @Test func s1_theCurrentStateIsToldBeforeSubscribingReturns() async {
        publisher.updateData(1)
        let log = Log<String>()
        let token = publisher.observe { log(text($0)) }
        #expect(log.all == ["loaded 1"])
        let follower = Follower(log)
        follower.follow(publisher)
        #expect(log.all == ["loaded 1", "follower loaded 1"])
        token.cancel()
        var states = publisher.states.values.makeAsyncIterator()
        #expect(await states.next().map(text) == "loaded 1")
    }

    @MainActor @Test func s1_theCurrentStateIsToldBeforeSubscribingReturnsOnTheMainActor() {
        let log = Log<String>()
        let owner = Owner()
        let token = publisher.observe(on: .main) { log(text($0)) }
        publisher.observe(owner: owner, on: .main) { _, state in log(text(state)) }
        #expect(log.all == ["unknown", "unknown"])
        let isDone = finishesOnAnotherThread { [publisher] in publisher.updateData(1) }
        #expect(isDone)
        publisher.updateData(2)
        #expect(log.all.dropFirst(2) == ["loaded 1", "loaded 1", "loaded 2", "loaded 2"])
        token.cancel()
    }

    @Test func s1_aChangeWhileTheFirstStateIsToldComesAfterIt() {
        let log = Log<String>()
        let token = publisher.observe { [publisher] state in
            if case .unknown = state {
                log(finishesOnAnotherThread { publisher.updateData(1) } ? "changed" : "locked")
            }
            log(text(state))
        }
        #expect(log.all == ["changed", "unknown", "loaded 1"])
        token.cancel()
    }

    /// Another thread delivers already when observing starts, and goes on during the first call.
    @Test func s1_whatAnotherThreadDeliversMeanwhileComesAfterTheFirstState() {
        let log = Log<String>()
        let bag = ObservationBag()
        let (isInside, isTold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isDone = DispatchSemaphore(value: 0)
        publisher.observe { [publisher] state in
            guard case .loading = state else { return }
            Thread {
                publisher.observe { state in
                    if case .loading = state {
                        isInside.signal()
                        isTold.wait()
                    }
                    log(text(state))
                }.store(in: bag)
                isDone.signal()
            }.start()
            isInside.wait()
            publisher.updateData(1)
        }.store(in: bag)
        publisher.observe { if case .loaded = $0 { log("told others") } }.store(in: bag)
        publisher.startLoading()
        isTold.signal()
        isDone.wait()
        #expect(log.all == ["told others", "loading -", "loaded 1"])
    }

    @Test func s1_anOlderStateNeverComesAfterANewerOne() async {
        let bag = ObservationBag()
        let logs = (0..<20).map { _ in Log<Int>() }
        publisher.updateData(0)
        await withTaskGroup { group in
            group.addTask { [publisher] in
                for number in 1...500 { publisher.updateData(number) }
            }
            group.addTask { [publisher] in
                for log in logs {
                    publisher.observe { log($0.value ?? -1) }.store(in: bag)
                }
            }
        }
        for log in logs {
            let first = log.all[0]
            #expect(log.all == Array(first...500))
        }
    }

    /// The values that an observer held are released after the last call.
    ///
    /// At that time, a change of another thread is already pending.
    @Test func s1_aChangeBetweenTwoDeliveriesIsToldAfterWhatWaits() {
        let log = Log<String>()
        let bag = ObservationBag()
        let token = Lock<ObservationToken?>(nil)
        do {
            let canary = Canary { [publisher] in
                _ = finishesOnAnotherThread { publisher.updateData(3) }
            }
            let observation = publisher.observe { [publisher] state in
                canary.stay()
                guard case .loaded(1) = state else { return }
                _ = finishesOnAnotherThread { publisher.updateData(2) }
                token.withLock { $0.take() }?.cancel()
            }
            token.withLock { $0 = observation }
        }
        publisher.observe { log(text($0)) }.store(in: bag)
        publisher.updateData(1)
        #expect(log.all == ["unknown", "loaded 1", "loaded 2", "loaded 3"])
    }

    @Test func s2_aChangeInsideAHandlerIsReadAtOnceAndToldAfterTheRound() {
        let log = Log<String>()
        let bag = ObservationBag()
        publisher.observe { [publisher] state in
            log("a \(text(state))")
            if case .loading = state {
                publisher.updateData(1)
                log("reads \(text(publisher.state))")
            }
        }.store(in: bag)
        publisher.observe { log("b \(text($0))") }.store(in: bag)
        publisher.startLoading()
        #expect(
            log.all.dropFirst(2) == [
                "a loading -", "reads loaded 1", "b loading -", "a loaded 1", "b loaded 1",
            ]
        )
    }

    @Test func s2_aChangeInsideTheFirstCallIsToldAfterIt() {
        let log = Log<String>()
        let token = publisher.observe { [publisher] state in
            if case .unknown = state { publisher.updateData(1) }
            log(text(state))
        }
        #expect(log.all == ["unknown", "loaded 1"])
        token.cancel()
    }

    @Test func s2_aChangeOnAnotherThreadJoinsTheRoundsThatRun() {
        let log = Log<String>()
        let bag = ObservationBag()
        publisher.observe { [publisher] state in
            log("a \(text(state))")
            if case .loading = state {
                log(finishesOnAnotherThread { publisher.updateData(1) } ? "changed" : "blocked")
            }
        }.store(in: bag)
        publisher.observe { log("b \(text($0))") }.store(in: bag)
        publisher.startLoading()
        let expected = ["a loading -", "changed", "b loading -", "a loaded 1", "b loaded 1"]
        #expect(log.all.dropFirst(2) == expected[...])
    }

    /// A caller that waits for a load goes on after all observers on all threads.
    @Test func whatIsDoneWhenEverybodyWasToldComesAfterTheRoundsThatWait() {
        let log = Log<String>()
        let token = publisher.observe { [publisher] state in
            if case .loading = state {
                let isDone = finishesOnAnotherThread {
                    publisher.updateData(1)
                    publisher.whenTold { log("told") }
                }
                #expect(isDone)
            }
            log(text(state))
        }
        publisher.whenTold { log("at once") }
        publisher.startLoading()
        #expect(log.all == ["unknown", "at once", "loading -", "loaded 1", "told"])
        token.cancel()
    }

    @Test func s2_aChangeInsideTheFirstCallReachesOthersAfterIt() {
        let log = Log<String>()
        let bag = ObservationBag()
        publisher.observe { log("b \(text($0))") }.store(in: bag)
        publisher.observe { [publisher] state in
            log("a \(text(state))")
            if case .unknown = state { publisher.updateData(1) }
            log("a returns")
        }.store(in: bag)
        let expected = [
            "b unknown", "a unknown", "a returns", "b loaded 1", "a loaded 1", "a returns",
        ]
        #expect(log.all == expected)
    }

    @MainActor @Test func s2_observingInsideAHandlerBeginsNoOtherCallOfIt() {
        let log = Log<String>()
        let bag = ObservationBag()
        publisher.observe(on: .main) { [publisher] state in
            log("\(text(state)) begins")
            publisher.observe(on: .main) { _ in }.store(in: bag)
            log("\(text(state)) ends")
        }.store(in: bag)
        let isDone = finishesOnAnotherThread { [publisher] in
            publisher.updateData(1)
            publisher.updateData(2)
        }
        #expect(isDone)
        publisher.delivery.mainQueue.drain(for: publisher)
        #expect(
            log.all
                == ["unknown", "loaded 1", "loaded 2"].flatMap { ["\($0) begins", "\($0) ends"] }
        )
    }

    @Test func s2_severalChangesInsideAHandlerAreAllTold() {
        let log = Log<String>()
        let token = publisher.observe { [publisher] state in
            log(text(state))
            if case .loading = state { for number in 1...3 { publisher.updateData(number) } }
        }
        publisher.startLoading()
        #expect(log.all == ["unknown", "loading -", "loaded 1", "loaded 2", "loaded 3"])
        token.cancel()
    }

    @Test func s2_closuresAndSequencesSeeEveryStateAndLatestTheLast() async {
        let all = publisher.states.values
        let latest = publisher.states.buffering(.newest(1)).values
        for number in 1...5 { publisher.updateData(number) }
        all.cancel()
        latest.cancel()
        var seen: [String] = []
        for await state in all { seen.append(text(state)) }
        #expect(seen == ["unknown"] + (1...5).map { "loaded \($0)" })
        seen = []
        for await state in latest { seen.append(text(state)) }
        #expect(seen == ["loaded 5"])
    }

    @Test func s2_concurrentSettersLeaveEverybodyWithTheEndState() async {
        let log = Log<Int>()
        let follower = Log<String>()
        let object = Follower(follower)
        object.follow(publisher)
        let token = publisher.observe { log($0.value ?? -1) }
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { [publisher] in
                    for number in 0..<500 { publisher.updateData(task * 1_000 + number) }
                }
            }
        }
        #expect(log.all.count == 2_001)
        #expect(log.all.last == publisher.lastData)
        #expect(follower.all.last == "follower \(text(publisher.state))")
        token.cancel()
    }

    /// Where every observer takes only the newest state, all pending states become one.
    @Test func s2_whatNobodyNeedsIsNotKeptForThoseWhoWantTheNewest() async {
        let log = Log<String>()
        let latest = publisher.states.buffering(.newest(1)).values
        let object = Follower(log) { [publisher] in
            guard publisher.state.phase == .loading else { return }
            let isDone = finishesOnAnotherThread {
                for number in 1...1_000 { publisher.updateData(number) }
            }
            #expect(isDone)
            #expect(publisher.waitingRounds == 1)
        }
        object.follow(publisher)
        publisher.startLoading()
        #expect(log.all == ["unknown", "loading -", "loaded 1000"].map { "follower \($0)" })
        var states = latest.makeAsyncIterator()
        #expect(await states.next().map(text) == "loaded 1000")
    }

    @Test func s2_oneWhoWantsEveryStateGetsThemAllBesideThoseWhoDoNot() {
        let (log, states) = (Log<String>(), Log<Int>())
        let object = Follower(log) { [publisher] in
            guard publisher.state.phase == .loading else { return }
            let isDone = finishesOnAnotherThread {
                for number in 1...1_000 { publisher.updateData(number) }
            }
            #expect(isDone)
        }
        object.follow(publisher)
        let token = publisher.observe { if let data = $0.value { states(data) } }
        publisher.startLoading()
        #expect(states.all == Array(1...1_000))
        #expect(!publisher.delivery.channel.wantsOnlyLatest)
        token.cancel()
        #expect(publisher.delivery.channel.wantsOnlyLatest)
        publisher.endSubscription(of: object)
        let other = publisher.observe { _ in }
        #expect(!publisher.delivery.channel.wantsOnlyLatest)
        other.cancel()
    }

    @Test func s2_twoThreadsThatSetStatesLeaveALatestReaderWithTheLast() async {
        let latest = publisher.states.buffering(.newest(1)).values
        let reader = Task {
            var last = -1
            for await state in latest {
                guard let number = state.value else { continue }
                last = number
                if number < 0 { break }
            }
            return last
        }
        await runOnThreads(
            (0..<2).map { thread in
                { [publisher] in
                    for number in 0..<50_000 { publisher.updateData(number * 2 + thread) }
                }
            }
        )
        publisher.updateData(-7)
        #expect(await reader.value == -7)
        #expect(publisher.waitingRounds == 0)
    }

    @Test func whatObserversLeaveBehindIsNothing() {
        for _ in 0..<1_000 {
            let owner = Owner()
            let token = publisher.observe { _ in }
            publisher.observe(owner: owner) { _, _ in }
            let states = publisher.states.buffering(.newest(1)).values
            publisher.updateData(1)
            token.cancel()
            states.cancel()
        }
        #expect(publisher.observerCount == 0)
        let last = publisher.observe { _ in }
        #expect(!publisher.delivery.channel.wantsOnlyLatest)
        last.cancel()
        let subscribers = publisher.delivery.channel.snapshot()
        #expect(subscribers.extent.alive == 0)
        #expect(subscribers.buffer.capacity < 300)
    }

    @Test func s3_loadingAndErrorKeepTheData() {
        publisher.updateData(1)
        publisher.startLoading()
        #expect(text(publisher.state) == "loading 1")
        publisher.setError(Failure())
        #expect(publisher.lastData == 1)
        #expect(publisher.state.error is Failure)
        publisher.startLoading()
        #expect(text(publisher.state) == "loading 1")
        publisher.reset()
        #expect(publisher.lastData == nil)
        publisher.startLoading()
        #expect(text(publisher.state) == "loading -")
    }

    @Test func s3_staleIsUnknownErrorInvalidatedOrOldAndNeverLoading() {
        let clock = ManualClock()
        let publisher = StatePublisher<Int>(staleAfter: .seconds(60), clock: clock)
        #expect(publisher.isStale)
        publisher.startLoading()
        #expect(!publisher.isStale)
        publisher.updateData(1)
        clock.advance(by: .milliseconds(59_999))
        #expect(!publisher.isStale)
        clock.advance(by: .milliseconds(1))
        #expect(publisher.isStale)
        publisher.startLoading()
        #expect(!publisher.isStale)
        publisher.updateData(2)
        #expect(!publisher.isStale)
        publisher.invalidate()
        #expect(publisher.isStale)
        publisher.updateData(3)
        publisher.setError(Failure())
        #expect(publisher.isStale)
    }

    @Test func s3_withoutALimitAgeNeverCounts() {
        let clock = ManualClock()
        let publisher = StatePublisher<Int>(clock: clock)
        publisher.updateData(1)
        clock.advance(by: .seconds(1_000_000_000))
        #expect(!publisher.isStale)
        publisher.staleAfter = .seconds(1)
        #expect(publisher.isStale)
    }

    @Test func updateChangesTheNewestDataInPlace() async {
        #expect(!publisher.update { $0 += 1 })
        publisher.updateData(0)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [publisher] in
                    for _ in 0..<250 { publisher.update { $0 += 1 } }
                }
            }
        }
        #expect(text(publisher.state) == "loaded 1000")
        publisher.startLoading()
        publisher.update { $0 = 7 }
        #expect(text(publisher.state) == "loading 7")
        publisher.setError(Failure())
        publisher.update { $0 = 8 }
        #expect(text(publisher.state) == "error")
        #expect(publisher.lastData == 8)
    }
}

private final class Follower: Sendable {
    let log: Log<String>
    private let meanwhile: @Sendable () -> Void

    init(_ log: Log<String>, meanwhile: @escaping @Sendable () -> Void = {}) {
        self.log = log
        self.meanwhile = meanwhile
    }

    /// Subscribes to a publisher.
    func follow(_ publisher: StatePublisher<Int>) {
        publisher.addSubscription(of: self) { follower, publisher in follower.read(publisher) }
    }

    private func read(_ publisher: StatePublisher<Int>) {
        log("follower \(text(publisher.state))")
        meanwhile()
    }
}

extension StatePublisher {
    /// The number of changes that are pending delivery.
    fileprivate var waitingRounds: Int { withMemory { $0.waitingRounds } }
}
