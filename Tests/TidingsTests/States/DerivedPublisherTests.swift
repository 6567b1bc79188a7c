// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct DerivedPublisherTests {
    private struct Refused: Error {}

    private let source = StatePublisher<[String]>()
    private let log = Log<LoadState<Int>>()

    @Test func s1_aDerivedPublisherHasEachStateOfItsSourceInOrder() {
        let count = source.map(\.count)
        let token = count.observe { [log] in log($0) }
        source.startLoading()
        source.updateData(["a", "b"])
        source.startLoading()
        source.setError(Refused())
        source.reset()
        #expect(
            log.all == [
                .unknown, .loading(nil), .loaded(2), .loading(2), .error(Refused()), .unknown,
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func s3_aDerivedPublisherKeepsTheDataOfBeforeAnError() {
        source.updateData(["a"])
        source.setError(Refused())
        let count = source.map(\.count)
        #expect(count.state == .error(Refused()))
        #expect(count.lastData == 1)
        source.reset()
        #expect(count.lastData == nil)
    }

    @Test func s3_staleAndSlowAreThoseOfTheSource() {
        let clock = ManualClock()
        let source = StatePublisher<Int>(1, staleAfter: .seconds(60), clock: clock)
        let derived = source.map { $0 + 1 }
        #expect(!derived.isStale)
        source.invalidate()
        #expect(derived.isStale)
        source.updateData(2)
        #expect(!derived.isStale)
        clock.advance(by: .seconds(60))
        #expect(derived.isStale)
        source.startLoading()
        source.change { memory in
            memory.isMarkedSlow = true
            return memory.apply(memory.state)
        }
        #expect(derived.isMarkedSlow)
    }

    @Test func s8_aDerivedPublisherObservesItsSourceUntilItIsReleased() {
        var derived: StatePublisher<Int>? = source.map(\.count)
        #expect(source.observerCount == 1)
        #expect(derived?.state.phase == .unknown)
        derived = nil
        #expect(source.observerCount == 0)
    }

    @Test func s8_aDerivedPublisherLivesWhileItIsObserved() {
        weak var weakDerived: StatePublisher<String>?
        let token = {
            let derived = source.map(\.count).map { "\($0)" }
            weakDerived = derived
            return derived.observe { [log] in log($0.map { Int($0) ?? -1 }) }
        }()
        source.updateData(["a"])
        #expect(log.all == [.unknown, .loaded(1)])
        token.cancel()
        #expect(weakDerived == nil)
        source.updateData(["a", "b"])
        #expect(source.observerCount == 0)
    }

    @Test func s8_anOwnersDerivedPublisherEndsWithTheOwnerOrTheSource() {
        weak var weakDerived: StatePublisher<Int>?
        var source: StatePublisher<Int>? = StatePublisher(1)
        func observe(_ owner: Owner) {
            let derived = source?.map { $0 + 1 }
            weakDerived = derived
            derived?.observe(owner: owner) { owner, state in owner.log(state.value ?? 0) }
        }
        var owner: Owner? = Owner()
        if let owner { observe(owner) }
        source?.updateData(2)
        #expect(owner?.log.all == [2, 3])
        owner = nil
        source?.updateData(3)
        #expect(weakDerived == nil)
        let last = Owner()
        observe(last)
        #expect(weakDerived != nil)
        source = nil
        #expect(weakDerived == nil)
        #expect(last.log.all == [4])
    }

    @Test func aSequenceOfADerivedPublisherGoesOn() async {
        var states = source.map(\.count).states.values.makeAsyncIterator()
        source.updateData(["a"])
        #expect(await states.next() == .unknown)
        #expect(await states.next() == .loaded(1))
    }

    @Test func aSubscriberOfADerivedPublisherHoldsItOnce() {
        let screen = Owner()
        let log = Log<Int?>()
        weak var weakDerived: StatePublisher<Int>?
        do {
            let derived = source.map(\.count)
            weakDerived = derived
            for _ in 1...2 { derived.addSubscription(of: screen) { log($1.lastData) } }
        }
        source.updateData(["a"])
        #expect(log.all == [nil, 1])
        weakDerived?.endSubscription(of: screen)
        #expect(weakDerived == nil)
    }

    @Test func aDerivedPublisherDoesNotKeepItsSource() {
        weak var weakSource: StatePublisher<Int>?
        let derived = {
            let source = StatePublisher(1)
            weakSource = source
            return source.map { $0 + 1 }
        }()
        #expect(weakSource == nil)
        #expect(derived.state == .loaded(2))
        #expect(!derived.isMarkedSlow && !derived.isStale)
    }

    @Test func aPublisherWithDataBeginsAsLoaded() {
        let publisher = StatePublisher("dark")
        #expect(publisher.state == .loaded("dark"))
        #expect(!publisher.isStale)
    }
}
