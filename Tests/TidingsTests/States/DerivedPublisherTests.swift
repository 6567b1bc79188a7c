// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(5)))
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
        source.change { $0.markSlow() }
        #expect(derived.isSlow)
    }

    @Test func s8_aDerivedPublisherObservesItsSourceUntilItIsReleased() {
        var derived: StatePublisher<Int>? = source.map(\.count)
        #expect(source.observerCount == 1)
        #expect(derived?.phase == .unknown)
        derived = nil
        #expect(source.observerCount == 0)
    }

    @Test func aDerivedPublisherKeepsItsSource() {
        weak var weakSource: StatePublisher<Int>?
        let derived = {
            let source = StatePublisher(1)
            weakSource = source
            return source.map { $0 + 1 }.map { "\($0)" }
        }()
        #expect(derived.state == .loaded("2"))
        weakSource?.updateData(5)
        #expect(derived.state == .loaded("6"))
    }

    @Test func aPublisherWithDataBeginsAsLoaded() {
        let publisher = StatePublisher("dark")
        #expect(publisher.state == .loaded("dark"))
        #expect(!publisher.isStale)
    }
}
