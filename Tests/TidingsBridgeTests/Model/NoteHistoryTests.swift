// SPDX-License-Identifier: Apache-2.0
import Testing

/// The checker, which finds each kind of fault in a history.
@Suite(.timeLimit(.minutes(15)))
struct NoteHistoryTests {
    /// Returns a history in which process 0 posts 0, 1 and 2 with one key.
    ///
    /// Message 2 is poison, and message 1 fails once.
    private func history(_ entries: [NoteHistory.Entry], dead: [Int] = [2]) -> NoteHistory {
        var history = NoteHistory()
        for failures in [0, 1, FaultSchedule.always] {
            history.store(history.post(by: 0, key: "a", failures: failures))
        }
        for entry in entries { history.append(entry) }
        history.buried = [1: dead]
        return history
    }

    private func handled(_ number: Int, throwing: Bool = false) -> NoteHistory.Entry {
        .handled(number, by: 1, throwing: throwing, isOwn: false)
    }

    private func promises(_ history: NoteHistory, keepsOrder: Bool = true) -> [String] {
        history.violations(processes: 2, keepsOrder: keepsOrder).map { String($0.prefix(2)) }
    }

    @Test func aGoodHistoryHasNoViolation() {
        let good = history([handled(0), handled(1, throwing: true), handled(1)])
        #expect(promises(good).isEmpty)
        let killed = history([handled(0), .killed(1), handled(0), handled(1)])
        #expect(promises(killed).isEmpty)
        let slow = history([handled(0), .restarted(1, isSlow: true), handled(0), handled(1)])
        #expect(promises(slow).isEmpty)
    }

    @Test func aLossIsFound() {
        #expect(promises(history([handled(0)])) == ["B4"])
        #expect(promises(history([handled(0), handled(1, throwing: true)])) == ["B4"])
    }

    @Test func aWrongDeadLetterIsFound() {
        let entries = [handled(0), handled(1)]
        #expect(promises(history(entries, dead: [])) == ["B8"])
        #expect(promises(history(entries, dead: [0, 2])) == ["B8"])
        #expect(promises(history(entries, dead: [2, 2])) == ["B8"])
    }

    @Test func aRepeatWithoutAKillIsFound() {
        #expect(promises(history([handled(0), handled(1), handled(0)])) == ["B5"])
        let restarted = [handled(0), .restarted(1, isSlow: false), handled(0), handled(1)]
        #expect(promises(history(restarted)) == ["B5"])
        let other = [handled(0), .killed(0), handled(0), handled(1)]
        #expect(promises(history(other)) == ["B5"])
        let often = Array(repeating: handled(2, throwing: true), count: FaultSchedule.attempts + 1)
        #expect(promises(history([handled(0), handled(1)] + often)) == ["B5"])
    }

    @Test func aSwapIsFound() {
        let entries = [handled(1), handled(0)]
        #expect(promises(history(entries)) == ["B7"])
        #expect(promises(history(entries), keepsOrder: false).isEmpty)
    }

    @Test func anOwnMessageIsFound() {
        let own = NoteHistory.Entry.handled(0, by: 0, throwing: false, isOwn: true)
        #expect(promises(history([handled(0), handled(1), own])) == ["B9"])
    }
}
