// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

/// The outcome of a wait, as a value.
@Suite(.timeLimit(.minutes(15)))
struct AnswerStateTests {
    private struct Late: Error {}

    @Test func theFirstOutcomeStays() throws {
        var state = AnswerState<Int>()
        #expect(state.settle(.success(1)) != nil)
        #expect(state.settle(.failure(Late())) == nil)
        #expect(try state.outcome?.get() == 1)
    }

    @Test func whoWaitsIsToldOnce() {
        let log = Log<Int>()
        var state = AnswerState<Int>()
        #expect(!state.isSettled { log(1) })
        #expect(!state.isSettled { log(2) })
        for action in state.settle(.success(1)) ?? [] { action() }
        for action in state.settle(.success(2)) ?? [] { action() }
        #expect(log.all == [1, 2])
    }

    @Test func whoComesLaterIsNotKept() {
        var state = AnswerState<Int>()
        _ = state.settle(.success(1))
        let released = Log<Bool>()
        do {
            let canary = Canary { released(true) }
            #expect(state.isSettled { canary.stay() })
        }
        #expect(released.all == [true])
    }
}
