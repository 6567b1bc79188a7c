// SPDX-License-Identifier: Apache-2.0
import Testing

/// The checker, which finds each kind of fault in a history of shared work.
@Suite(.timeLimit(.minutes(15)))
struct WorkHistoryTests {
    private let one = Life(process: 0)
    private let two = Life(process: 1)

    /// Returns the broken promises of a history in which work 0 and 1 is stored and 2 is poison.
    ///
    /// Both processes are connected and have had work.
    private func promises(
        _ entries: [WorkHistory.Entry],
        dead: [Int: Bool] = [2: false]
    ) -> [String] {
        var history = WorkHistory()
        for failures in [0, 0, FaultSchedule.always] {
            history.store(history.post(by: 0, failures: failures))
        }
        history.append(.connected(one, over: 1))
        history.append(.connected(two, over: 2))
        for entry in begun(0, one) + begun(1, two) + entries { history.append(entry) }
        for (number, isUnfinished) in dead { history.bury(number, isUnfinished: isUnfinished) }
        return history.violations.map { String($0.prefix(2)) }
    }

    private func begun(
        _ number: Int,
        _ life: Life,
        living: Set<Int> = [1, 2],
        throwing: Bool = false
    ) -> [WorkHistory.Entry] {
        [.began(number, by: life, living: living), .ended(number, by: life, throwing: throwing)]
    }

    @Test func aGoodHistoryHasNoViolation() {
        #expect(promises([]).isEmpty)
        #expect(promises(begun(2, one, throwing: true) + begun(2, two, throwing: true)).isEmpty)
        let cutOff = [WorkHistory.Entry.began(2, by: one, living: [1, 2])]
        #expect(promises(cutOff + begun(2, two, living: [2], throwing: true)).isEmpty)
        #expect(promises(cutOff + [.killed(one)] + begun(2, two, throwing: true)).isEmpty)
    }

    @Test func aLossIsFound() {
        #expect(promises([], dead: [:]) == ["B4"])
        #expect(promises(begun(2, one, throwing: true), dead: [:]) == ["B4"])
    }

    @Test func aWrongDeadLetterIsFound() {
        #expect(promises([], dead: [1: false, 2: false]) == ["B8"])
        #expect(promises([], dead: [1: true, 2: false]).isEmpty)
        let often = (0...FaultSchedule.attempts).flatMap { _ in begun(2, one, throwing: true) }
        #expect(promises(often) == ["B8"])
    }

    @Test func workThatTwoProcessesHaveIsFound() {
        let first = [WorkHistory.Entry.began(2, by: one, living: [1, 2])]
        #expect(promises(first + begun(2, two, throwing: true)) == ["B4"])
        #expect(promises(first + begun(2, one, living: [], throwing: true)) == ["B4"])
    }

    @Test func workThatIsGivenOutAfterItsEndIsFound() {
        let again = begun(2, one) + begun(2, two)
        #expect(promises(again) == ["B5"])
        #expect(promises(begun(2, one) + begun(2, two, living: [2])).isEmpty)
        #expect(promises(begun(2, one) + begun(2, one, living: [])) == ["B5"])
    }
}
