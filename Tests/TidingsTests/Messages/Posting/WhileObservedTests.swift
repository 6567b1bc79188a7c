// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct WhileObservedTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    private func hook() -> ObservationToken {
        center.whileObserved(
            Ping.self,
            start: { [log] in log("start") },
            stop: { [log] in log("stop") }
        )
    }

    @Test func theFirstStartsAndTheLastStops() {
        let hook = hook()
        #expect(log.all.isEmpty)
        let first = center.observe(Ping.self) { _ in }
        #expect(log.all == ["start"])
        let second = center.observe(Ping.self) { _ in }
        first.cancel()
        #expect(log.all == ["start"])
        second.cancel()
        second.cancel()
        #expect(log.all == ["start", "stop"])
        let messages = center.messages(of: Ping.self).values
        #expect(log.all == ["start", "stop", "start"])
        messages.cancel()
        #expect(log.all == ["start", "stop", "start", "stop"])
        hook.cancel()
    }

    @Test func otherTypesDoNotCount() {
        let hook = hook()
        center.observe(Pong.self) { _ in }.cancel()
        #expect(log.all.isEmpty)
        hook.cancel()
    }

    @Test func anObservationThatExistsStartsAtOnce() {
        let token = center.observe(Ping.self) { _ in }
        let hook = hook()
        #expect(log.all == ["start"])
        token.cancel()
        #expect(log.all == ["start", "stop"])
        hook.cancel()
    }

    @Test func itsEndStopsWhatWasStartedAndNothingStartsAfterwards() {
        let token = center.observe(Ping.self) { _ in }
        var hook: ObservationToken? = hook()
        #expect(log.all == ["start"])
        hook = nil
        #expect(log.all == ["start", "stop"])
        token.cancel()
        center.observe(Ping.self) { _ in }.cancel()
        #expect(log.all == ["start", "stop"])
        _ = hook
    }

    @Test func itsEndStopsNothingThatWasNotStarted() {
        hook().cancel()
        #expect(log.all.isEmpty)
    }

    @Test func theEndOfTheCenterStopsWhatWasStarted() {
        var center: MessageCenter? = MessageCenter()
        let hook = center?.whileObserved(
            Ping.self,
            start: { [log] in log("start") },
            stop: { [log] in log("stop") }
        )
        let token = center?.observe(Ping.self) { _ in }
        center = nil
        #expect(log.all == ["start", "stop"])
        hook?.cancel()
        token?.cancel()
        #expect(log.all == ["start", "stop"])
    }

    @Test func m8_aDeadOwnerIsGoneWhenItIsSwept() {
        let hook = hook()
        do {
            let owner = Owner()
            center.observe(Ping.self, owner: owner) { _, _ in }
            withExtendedLifetime(owner) { #expect(log.all == ["start"]) }
        }
        center.post(Ping())
        #expect(log.all == ["start", "stop"])
        hook.cancel()
    }

    @Test func anObservationForOneCallStopsWithIt() {
        let hook = hook()
        let token = center.messages(of: Ping.self).once().observe { [log] _ in log("called") }
        center.post(Ping())
        #expect(log.all == ["start", "stop", "called"])
        hook.cancel()
        token.cancel()
    }

    @Test func severalHooksStandBesideEachOther() {
        let first = hook()
        let second = center.whileObserved(Ping.self, start: { [log] in log("b") }, stop: {})
        let token = center.observe(Ping.self) { _ in }
        #expect(log.all == ["start", "b"])
        first.cancel()
        #expect(log.all == ["start", "b", "stop"])
        token.cancel()
        second.cancel()
    }

    @Test func whatItCapturedIsReleasedWithItsEndAlthoughTheTokenStays() {
        weak var released: Canary?
        let hook: ObservationToken
        do {
            let canary = Canary()
            released = canary
            hook = center.whileObserved(
                Ping.self,
                start: { canary.stay() },
                stop: { canary.stay() }
            )
        }
        #expect(released != nil)
        hook.cancel()
        #expect(released == nil)
    }

    @Test func m9_noLockIsHeldWhileItStartsOrStops() {
        let use: @Sendable () -> Void = { [center, log] in
            let isFree = finishesOnAnotherThread {
                center.observe(Ping.self) { _ in }.cancel()
                center.whileObserved(Ping.self, start: {}, stop: {}).cancel()
                _ = center.count(of: Ping.self)
                center.post(Ping())
            }
            log(isFree ? "free" : "locked")
        }
        let hook = center.whileObserved(Ping.self, start: use, stop: use)
        let token = center.observe(Ping.self) { _ in }
        token.cancel()
        #expect(log.all == ["free", "free"])
        hook.cancel()
    }

    @Test func aStartMayObserveAndAStopMayToo() {
        let bag = ObservationBag()
        let hook = center.whileObserved(
            Ping.self,
            start: { [center, log] in
                log("start")
                center.observe(Ping.self) { _ in }.store(in: bag)
            },
            stop: { [log] in log("stop") }
        )
        let token = center.observe(Ping.self) { _ in }
        token.cancel()
        #expect(log.all == ["start"])
        bag.cancelAll()
        #expect(log.all == ["start", "stop"])
        hook.cancel()
    }

    @Test(arguments: [false, true])
    func manyThreadsAlternateItStrictly(withOwners: Bool) {
        let witness = Witness()
        let hook = center.whileObserved(
            Ping.self,
            start: { witness.enter(starting: true) },
            stop: { witness.enter(starting: false) }
        )
        DispatchQueue.concurrentPerform(iterations: 4) { [center] _ in
            for _ in 0..<1_000 {
                if withOwners {
                    let owner = Owner()
                    center.observe(Ping.self, owner: owner) { _, _ in }
                } else {
                    center.observe(Ping.self) { _ in }.cancel()
                }
            }
        }
        center.post(Ping())
        let result = witness.result
        #expect(result.faults == 0)
        #expect(!result.isStarted)
        #expect(result.switches >= 2)
        hook.cancel()
    }
}

/// Checks that starts and stops alternate and never overlap.
private final class Witness: Sendable {
    let isInside = Atomic(false)
    let isStarted = Atomic(false)
    let faults = Atomic(0)
    let switches = Atomic(0)

    func enter(starting: Bool) {
        let wasInside = isInside.exchange(true, ordering: .acquiringAndReleasing)
        let wasStarted = isStarted.exchange(starting, ordering: .acquiringAndReleasing)
        if wasInside || wasStarted == starting { faults.add(1, ordering: .relaxed) }
        switches.add(1, ordering: .relaxed)
        isInside.store(false, ordering: .releasing)
    }

    var result: (faults: Int, isStarted: Bool, switches: Int) {
        (
            faults.load(ordering: .acquiring), isStarted.load(ordering: .acquiring),
            switches.load(ordering: .acquiring)
        )
    }
}
