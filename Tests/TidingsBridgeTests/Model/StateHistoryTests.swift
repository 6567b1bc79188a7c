// SPDX-License-Identifier: Apache-2.0
import Testing

/// The checker, which finds each kind of fault in a history of a mirrored state.
@Suite(.timeLimit(.minutes(15)))
struct StateHistoryTests {
    private let lives = [Life(process: 0), Life(process: 1)]

    /// Returns the broken promises of a history with three changes.
    ///
    /// The first process makes the changes 0 and 1, and the second process makes change 2.
    private func promises(
        shown: [Int] = [0, 1, 2],
        stored: [Int] = [0, 1, 2],
        last: [Int?] = [2, 2]
    ) -> [String] {
        var history = StateHistory()
        for life in [lives[0], lives[0], lives[1]] { history.take(history.change(by: life)) }
        for number in shown { history.show(number, by: lives[1]) }
        return history.violations(stored: stored, shown: last).map { String($0.prefix(3)) }
    }

    @Test func aGoodHistoryHasNoViolation() {
        #expect(promises().isEmpty)
        // A newer change of the same process replaces a change that was not sent yet.
        #expect(promises(stored: [1, 2]).isEmpty)
        #expect(promises(shown: [1, 2, 1]).isEmpty)
    }

    @Test func anOldValueIsFound() {
        #expect(promises(last: [1, 2]) == ["B10"])
        #expect(promises(last: [nil, 2]) == ["B10"])
    }

    @Test func aLostChangeIsFound() {
        #expect(promises(stored: [0, 2]) == ["B4:"])
    }

    @Test func aStepBackIsFound() {
        #expect(promises(shown: [1, 0, 2]) == ["B7:"])
    }
}
