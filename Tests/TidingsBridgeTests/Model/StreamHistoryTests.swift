// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsBridge

/// The checker, which finds each kind of fault in a history of a stream that loses frames.
@Suite(.timeLimit(.minutes(15)))
struct StreamHistoryTests {
    private let life = Life(process: 1)

    private func gap(_ kind: StreamGap.Kind, size: UInt64? = nil) -> StreamGap {
        StreamGap(kind: kind, subscription: "a", cursor: 1, extent: nil, size: size)
    }

    /// Returns the broken promises of a process at sequence 5 after a change.
    ///
    /// The process misses some messages. Message 7 is in the stream.
    private func promises(
        _ change: FaultSchedule.StreamChange = .remade,
        missing: Set<Int>,
        gaps: [StreamGap] = [],
        readsAll: Bool = true
    ) -> [String] {
        var history = StreamHistory(readsAll: readsAll)
        history.change(change, cursors: [1: 5])
        let texts = history.violations(life, missing: missing, stored: [7], gaps)
        return texts.map { String($0.prefix(3)) }
    }

    @Test func aReportedLossIsNoViolation() {
        #expect(promises(missing: []).isEmpty)
        #expect(promises(missing: [3], gaps: [gap(.remade)]).isEmpty)
        #expect(promises(missing: [3, 7], gaps: [gap(.remade)], readsAll: false).isEmpty)
        #expect(promises(.removed(before: 9), missing: [3], gaps: [gap(.removed, size: 2)]).isEmpty)
        // The process cannot know of frames that were not yet reached.
        #expect(promises(.wentBack(to: 5), missing: [3]).isEmpty)
    }

    @Test func aLossInSilenceIsFound() {
        #expect(promises(missing: [3]) == ["B11"])
        #expect(promises(.wentBack(to: 4), missing: [3]) == ["B11"])
        let tooSmall = [gap(.removed, size: 1)]
        #expect(promises(.removed(before: 9), missing: [2, 3], gaps: tooSmall) == ["B11"])
    }

    @Test func aStoredMessageThatIsSkippedIsFound() {
        #expect(promises(missing: [7], gaps: [gap(.remade)]) == ["B4:"])
    }

    @Test func aGapWithoutAChangeIsFound() {
        let history = StreamHistory(readsAll: true)
        let texts = history.violations(life, missing: [], stored: [], [gap(.removed, size: 1)])
        #expect(texts.map { String($0.prefix(3)) } == ["B11"])
    }

    @Test func aGapExplainsItsRoundOnly() {
        var history = StreamHistory(readsAll: true)
        history.change(.remade, cursors: [1: 5])
        history.settle(life, missing: [3], [gap(.remade)])
        #expect(history.violations(life, missing: [3], stored: [], [gap(.remade)]).isEmpty)
        #expect(history.violations(life, missing: [3, 4], stored: [], [gap(.remade)]).count == 1)
    }
}
