// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct CoalescerStateTests {
    private let machine = Machine(CoalescerState<Int>(interval: .seconds(10)))

    @Test func theFirstBeginsTheInterval() {
        #expect(machine { $0.arrive(1, at: .seconds(5)) } == .setTimer(.seconds(15)))
        #expect(machine { $0.arrive(2, at: .seconds(6)) } == .none)
        #expect(machine { $0.ring(at: .seconds(15)) } == .post([1, 2]))
        #expect(machine { $0.finishPosting() } == .none)
        #expect(machine { $0.arrive(3, at: .seconds(16)) } == .setTimer(.seconds(26)))
    }

    @Test func whatComesDuringARoundGoesIntoTheNext() {
        _ = machine { $0.arrive(1, at: .zero) }
        _ = machine { $0.ring(at: .seconds(10)) }
        #expect(machine { $0.arrive(2, at: .seconds(11)) } == .none)
        #expect(machine { $0.ring(at: .seconds(30)) } == .none)
        #expect(machine { $0.finishPosting() } == .setTimer(.seconds(21)))
        #expect(machine { $0.ring(at: .seconds(31)) } == .post([2]))
    }

    @Test func anEarlyRingSetsTheAlarmAgain() {
        _ = machine { $0.arrive(1, at: .zero) }
        #expect(machine { $0.ring(at: .seconds(9)) } == .setTimer(.seconds(10)))
    }

    @Test func flushingEndsTheInterval() {
        #expect(machine { $0.flush(at: .zero) } == .none)
        _ = machine { $0.arrive(1, at: .zero) }
        #expect(machine { $0.flush(at: .seconds(1)) } == .post([1]))
        _ = machine { $0.arrive(2, at: .seconds(2)) }
        #expect(machine { $0.flush(at: .seconds(3)) } == .none)
        #expect(machine { $0.finishPosting() } == .setTimer(.seconds(3)))
    }

    @Test func discardingTakesWhatIsGathered() {
        _ = machine { $0.arrive(1, at: .zero) }
        #expect(machine { $0.discard() } == [1])
        #expect(machine { $0.ring(at: .seconds(10)) } == .none)
        #expect(machine { $0.arrive(2, at: .seconds(20)) } == .setTimer(.seconds(30)))
    }

    @Test func manyAreFoldedWhileTheyAreGathered() {
        for number in 1..<64 { _ = machine { $0.arrive(number, at: .zero) } }
        #expect(machine { $0.arrive(64, at: .zero) } == .fold(Array(1...64)))
        #expect(machine { $0.arrive(65, at: .seconds(1)) } == .none)
        let (action, stale) = machine { $0.finishFolding([64]) }
        #expect(action == .none)
        #expect(stale.isEmpty)
        #expect(machine { $0.ring(at: .seconds(10)) } == .post([64, 65]))
    }

    @Test func aRoundThatIsDueWaitsForTheFolding() {
        for number in 1...64 { _ = machine { $0.arrive(number, at: .zero) } }
        #expect(machine { $0.ring(at: .seconds(10)) } == .none)
        #expect(machine { $0.finishFolding([64]) }.0 == .setTimer(.seconds(10)))
        #expect(machine { $0.ring(at: .seconds(11)) } == .post([64]))
    }

    @Test func discardingReachesWhatIsBeingFolded() {
        for number in 1...64 { _ = machine { $0.arrive(number, at: .zero) } }
        #expect(machine { $0.discard() }.isEmpty)
        _ = machine { $0.arrive(65, at: .seconds(1)) }
        let (action, stale) = machine { $0.finishFolding([64]) }
        #expect(stale == [64])
        #expect(action == .setTimer(.seconds(11)))
        #expect(machine { $0.ring(at: .seconds(11)) } == .post([65]))
    }

    @Test func theNewestOfAKeyStandsWhereItsFirstStood() {
        let elements = ["a1", "b1", "a2", "c1", "b2", "a3"]
        #expect(elements.newest { $0.prefix(1) } == ["a3", "b2", "c1"])
    }
}
