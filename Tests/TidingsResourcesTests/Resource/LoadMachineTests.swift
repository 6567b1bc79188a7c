// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings
@testable import TidingsResources

@Suite(.timeLimit(.minutes(15)))
struct LoadMachineTests {
    private let machine = Machine(LoadMachine())

    private func finish(
        _ number: Int,
        _ answer: LoadMachine.Answer = .data,
        writes: Int = 0
    ) -> String {
        switch machine({ $0.finish(number, answer, at: LoadMachine.Stamp(writes: writes)) }) {
        case .ignore: "ignore"
        case .apply: "apply"
        case .discard: "discard"
        case .again: "again"
        case .retry(let delay): "retry \(delay)"
        }
    }

    private func request(_ wish: LoadMachine.Requester, writes: Int = 0) -> Int? {
        machine { $0.request(wish, at: LoadMachine.Stamp(writes: writes), rest: .unknown) }
    }

    @Test func oneLoadServesAll() {
        #expect(request(.own) == 1)
        #expect(request(.waiter(1)) == nil)
        #expect(request(.waiter(2)) == nil)
        #expect(machine { $0.load?.waiters } == [1, 2])
        #expect(finish(1) == "apply")
        #expect(request(.own) == 2)
    }

    @Test func anAnswerOfAnotherLoadIsIgnored() {
        _ = request(.own)
        #expect(machine { $0.end()?.number } == 1)
        #expect(finish(1) == "ignore")
        #expect(request(.own) == 2)
        #expect(finish(1) == "ignore")
        #expect(finish(2) == "apply")
        #expect(finish(2) == "ignore")
    }

    @Test func aLoadEndsWhenNobodyWantsIt() {
        _ = request(.waiter(1))
        _ = request(.waiter(2))
        #expect(machine { $0.leave(1)?.number } == nil)
        #expect(machine { $0.leave(1)?.number } == nil)
        #expect(machine { $0.leave(2)?.number } == 1)
        _ = request(.own)
        _ = request(.waiter(3))
        #expect(machine { $0.leave(3)?.number } == nil)
        #expect(machine { $0.disown()?.number } == 2)
        #expect(machine { $0.disown()?.number } == nil)
    }

    @Test func aWriteMakesAnAnswerWorthNothing() {
        _ = request(.own, writes: 4)
        #expect(finish(1, writes: 5) == "discard")
        _ = request(.own, writes: 5)
        #expect(finish(2, writes: 5) == "apply")
    }

    @Test func anInvalidationIsFollowedByOneLoadWhateverTheAnswer() {
        for (number, answer) in [
            (1, LoadMachine.Answer.data), (2, .failure(LoadFailure(), retryAfter: nil)),
            (3, .failure(LoadFailure(), retryAfter: .seconds(1))),
        ] {
            _ = request(.own)
            machine { $0.outdate() }
            machine { $0.outdate() }
            #expect(finish(number, answer, writes: 2) == "again")
            #expect(finish(number, writes: 2) == "apply")
        }
    }

    @Test func aFailureIsTriedAgainOrApplied() {
        _ = request(.own)
        let failure = LoadMachine.Answer.failure(LoadFailure(), retryAfter: .seconds(3))
        #expect(finish(1, failure) == "retry 3.0 seconds")
        #expect(machine { $0.load?.attempt } == 2)
        #expect(machine { $0.beginRetry(of: 1, at: LoadMachine.Stamp(writes: 7)) })
        #expect(finish(1, .failure(LoadFailure(), retryAfter: nil), writes: 7) == "apply")
        #expect(!machine { $0.beginRetry(of: 1, at: LoadMachine.Stamp(writes: 7)) })
    }

    @Test func whatHappensWhileARetryWaitsWasBeforeIt() {
        _ = request(.own)
        _ = finish(1, .failure(LoadFailure(), retryAfter: .zero))
        machine { $0.outdate() }
        #expect(machine { $0.beginRetry(of: 1, at: LoadMachine.Stamp(writes: 3)) })
        #expect(finish(1, writes: 3) == "apply")
    }

    @Test func aCopyEndsOnlyALoadThatWantsNothingNewer() {
        let takeCopy = { [machine] (number: Int, writes: Int) in
            machine { $0.takeCopy(for: number, at: LoadMachine.Stamp(writes: writes))?.number }
        }
        _ = request(.ownIfStale)
        #expect(takeCopy(2, 0) == nil)
        #expect(takeCopy(1, 1) == nil)
        #expect(takeCopy(1, 0) == 1)
        #expect(takeCopy(1, 0) == nil)
        for (number, wish) in [(2, LoadMachine.Requester.own), (3, .waiter(1))] {
            _ = request(.ownIfStale)
            _ = request(wish)
            #expect(takeCopy(number, 0) == nil)
            _ = machine { $0.end() }
        }
        _ = request(.ownIfStale)
        machine { $0.outdate() }
        #expect(takeCopy(4, 0) == nil)
    }

    @Test func aLoadIsMarkedAsSlowOnceAndOnlyWhileItRuns() {
        _ = request(.own)
        #expect(!machine { $0.markSlow(2) })
        #expect(machine { $0.markSlow(1) })
        #expect(!machine { $0.markSlow(1) })
        #expect(finish(1) == "apply")
        #expect(!machine { $0.markSlow(1) })
        _ = request(.own)
        #expect(machine { $0.markSlow(2) })
    }

    @Test func aLoadThatIsCancelledRestsWhereItsLastFailureLeftIt() {
        _ = request(.own)
        _ = finish(1, .failure(LoadFailure(number: 4), retryAfter: .zero))
        guard case .error(let error)? = machine({ $0.disown()?.rest }) else {
            Issue.record("the failure is lost")
            return
        }
        #expect(error as? LoadFailure == LoadFailure(number: 4))
    }
}

@Suite(.timeLimit(.minutes(15)))
struct OptimisticWritesTests {
    private func writes(_ numbers: ClosedRange<Int>) -> OptimisticWrites<[Int]> {
        var writes = OptimisticWrites(base: [0])
        for number in numbers { writes.add(number) { $0.append(number) } }
        return writes
    }

    @Test func changesAreShownInOrderAndTakenBackOneByOne() {
        var writes = writes(1...3)
        #expect(writes.shown == [0, 1, 2, 3])
        writes.remove(2)
        #expect(writes.shown == [0, 1, 3])
        writes.remove(9)
        #expect(writes.shown == [0, 1, 3])
    }

    @Test func whatIsConfirmedWaitsForThoseBeforeIt() {
        var writes = writes(1...3)
        writes.confirm(2)
        #expect(writes.base == [0])
        writes.confirm(1)
        #expect(writes.base == [0, 1, 2])
        #expect(!writes.isEmpty)
        writes.remove(3)
        #expect(writes.isEmpty)
        #expect(writes.shown == [0, 1, 2])
    }

    @Test func whatTheSourceHasReplacesWhatIsConfirmed() {
        var writes = writes(1...3)
        writes.confirm(2)
        writes.load([7])
        #expect(writes.shown == [7, 1, 3])
    }

    @Test func aChangeIsDoubtfulOnceTheSourceHasSaidWhatItHas() {
        var writes = writes(1...3)
        writes.confirm(3)
        #expect(!writes.isDoubtful(1))
        writes.load([7])
        #expect(writes.isDoubtful(2))
        writes.add(4) { $0.append(4) }
        #expect(!writes.isDoubtful(4))
        writes.load([8])
        #expect(writes.isDoubtful(4))
    }
}
