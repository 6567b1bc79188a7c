// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct ReadStateTests {
    private func state(
        _ start: StreamStart = .now,
        _ policy: GapPolicy = .fromBeginning
    ) -> ReadState {
        ReadState(subscription: "a", start: start, policy: policy)
    }

    private func stream(
        _ extent: (UInt64, UInt64),
        incarnation: String = "1"
    ) -> StreamState {
        StreamState(name: "s", incarnation: incarnation, first: extent.0, last: extent.1)
    }

    private let cursor = Cursor(stream: "s", incarnation: "1", sequence: 10, id: "x-10")

    @Test(arguments: [
        (StreamStart.now, StreamStart.sequence(21)), (.beginning, .sequence(1)),
        (.sequence(7), .sequence(7)),
    ])
    func b10_aFirstStartBeginsWhereTheCrossingSays(start: StreamStart, expected: StreamStart) {
        var state = state(start)
        let plan = state.connect(nil, to: stream((1, 20)), idAtCursor: nil)
        #expect(plan == .read(from: expected, gap: nil))
    }

    @Test func b10_aStoredCursorGoesBeforeTheStart() {
        var state = state(.beginning)
        let plan = state.connect(cursor, to: stream((1, 20)), idAtCursor: "x-10")
        #expect(plan == .read(from: .sequence(11), gap: nil))
        #expect(state.read(10) == .skip && state.read(11) == .handle && state.read(11) == .skip)
    }

    @Test func b11_aReadStreamThatIsEmptyAtTheCursorIsNoGap() {
        var state = state()
        let plan = state.connect(cursor, to: stream((11, 10)), idAtCursor: nil)
        #expect(plan == .read(from: .sequence(11), gap: nil))
    }

    @Test func b11_removedFramesAreCounted() throws {
        var state = state()
        let plan = state.connect(cursor, to: stream((15, 20)), idAtCursor: nil)
        guard case .read(.sequence(15), let gap?) = plan else {
            Issue.record("\(plan)")
            return
        }
        #expect(gap.kind == .removed && gap.size == 4 && gap.extent == 15...20)
    }

    @Test(arguments: [
        (
            StreamGap.Kind.remade, StreamState(name: "s", incarnation: "2", first: 1, last: 20),
            "x-10"
        ),
        (.remade, StreamState(name: "t", incarnation: "1", first: 1, last: 20), "x-10"),
        (.wentBack, StreamState(name: "s", incarnation: "1", first: 1, last: 9), ""),
        (.wentBack, StreamState(name: "s", incarnation: "1", first: 1, last: 20), "y-3"),
    ])
    func b11_aStreamThatWasRemadeOrWentBackIsNoticed(
        kind: StreamGap.Kind,
        stream: StreamState,
        id: String
    ) {
        for policy in [GapPolicy.fromBeginning, .fromEnd, .stop] {
            var state = state(.now, policy)
            switch state.connect(cursor, to: stream, idAtCursor: id.isEmpty ? nil : id) {
            case .stop(let gap): #expect(policy == .stop && gap.kind == kind)
            case .read(let start, let gap):
                #expect(gap?.kind == kind && gap?.cursor == 10)
                let first = policy == .fromBeginning ? stream.first : stream.last + 1
                #expect(start == .sequence(first))
                #expect(state.read(first) == .handle)
            }
        }
    }

    @Test(arguments: [GapPolicy.fromBeginning, .fromEnd, .stop])
    func b15_sequencesThatNoStreamReachesAreNoCrash(policy: GapPolicy) {
        let largest = StreamState(name: "s", incarnation: "1", first: .max, last: .max)
        let frame = StoredFrame(sequence: .max, time: Date(), frame: BridgeFrame(subject: "a"))
        let other = Cursor(stream: "s", incarnation: "2", sequence: 1, id: "")
        for start in [StreamStart.now, .beginning, .sequence(.max)] {
            for cursor in [nil, cursor, other] {
                var state = state(start, policy)
                _ = state.connect(cursor, to: largest, idAtCursor: "y")
                #expect(state.read(frame.sequence) == .skip || state.position == frame.sequence)
                #expect(state.position + 1 <= UInt64(Int64.max))
            }
        }
    }

    @Test func b8_pausesGrowToTheirLimit() {
        let plan = RetryPlan(firstPause: .seconds(1), longestPause: .seconds(5))
        #expect((0...4).map { plan.pause(after: $0) } == [0, 1, 2, 4, 5].map { .seconds($0) })
    }
}
