// SPDX-License-Identifier: Apache-2.0
import Testing

/// The checker, which finds each kind of fault in a history of transient messages.
@Suite(.timeLimit(.minutes(15)))
struct TransientHistoryTests {
    private let sender = Life(process: 1)
    private let receiver = Life(process: 0)

    /// Returns a history in which the sender posts 0, 1 and 2 with one key.
    ///
    /// The last message must arrive.
    private func history(_ received: [Int], out: Int = 0, back: Int = 0) -> TransientHistory {
        var history = TransientHistory()
        for _ in 0...2 { history.take(history.post(by: sender, key: "a")) }
        history.expectLast()
        for number in received { history.receive(number, by: receiver) }
        history.note(.init(out: out), of: sender)
        history.note(.init(back: back), of: receiver)
        return history
    }

    private func promises(_ history: TransientHistory) -> [String] {
        history.violations(processes: 2).map { String($0.prefix(2)) }
    }

    @Test func aGoodHistoryHasNoViolation() {
        for history in [
            history([0, 1, 2]), history([1, 2], out: 1), history([2], out: 1, back: 1),
        ] {
            #expect(promises(history).isEmpty && history.imbalance(at: 0) == nil)
        }
    }

    @Test func aLossWithoutACountIsFound() {
        #expect(history([0, 2]).imbalance(at: 0) != nil)
        #expect(promises(history([0, 1])) == ["B6"])
        var killed = history([0, 2])
        killed.kill(sender)
        #expect(killed.imbalance(at: 0) == nil)
    }

    @Test func aCountOfAReceivedMessageIsFound() {
        #expect(history([0, 1, 2], back: 1).imbalance(at: 0) != nil)
        #expect(promises(history([0, 1, 2], out: 1)) == ["B6"])
    }

    @Test func aRepeatASwapAndAnOwnMessageAreFound() {
        #expect(promises(history([0, 1, 1, 2])) == ["B6"])
        #expect(promises(history([1, 0, 2])) == ["B7"])
        var own = history([0, 1, 2])
        own.receive(2, by: sender)
        #expect(promises(own) == ["B9"])
    }
}
