// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct PublishStateTests {
    private var state = PublishState(window: 3, deadline: .seconds(5))

    private func accepted(_ row: Int) -> PublishAcknowledgement {
        PublishAcknowledgement(row: row, .accepted(sequence: UInt64(row), isDuplicate: false))
    }

    @Test mutating func b14_theWindowLimitsTheRowsInFlight() {
        #expect(state.room == 3)
        #expect(state.send([4, 5, 6], at: .zero) == [4, 5, 6])
        #expect(state.room == 0)
        #expect(state.receive([accepted(4)]).accepted == [4: 4])
        #expect(state.room == 1)
    }

    @Test func b14_acceptedRowsLeaveAnOutboxThatFills() {
        var state = PublishState(window: 512, deadline: .seconds(5))
        _ = state.send([4, 5, 6], at: .zero)
        _ = state.receive([accepted(4)])
        #expect(state.removable(whileFilling: false).isEmpty)
        #expect(state.removable(whileFilling: true) == [4])
    }

    @Test mutating func b7_aNewConnectionBeginsWithTheLowestUnacknowledgedRow() {
        _ = state.send([4, 5, 6], at: .zero)
        let settlement = state.receive([accepted(5)])
        state.remove(settlement.accepted.keys)
        state.connect()
        #expect(state.lastSent == 0 && state.room == 3 && state.nextDeadline == nil)
        #expect(state.send([4, 6], at: .seconds(1)) == [4, 6])
    }

    @Test mutating func b3_anAcceptedRowThatCannotBeRemovedIsNotSentAgain() {
        _ = state.send([4, 5], at: .zero)
        _ = state.receive([accepted(4)])
        state.connect()
        #expect(state.send([4, 5], at: .zero) == [5])
        #expect(state.unremoved == [4])
    }

    @Test mutating func b13_anOverdueAcknowledgementStallsAndEndsTheConnection() {
        _ = state.send([4], at: .seconds(1))
        _ = state.send([5], at: .seconds(3))
        #expect(state.check(at: .seconds(5)) == nil && !state.isStalled)
        #expect(state.check(at: .seconds(6))?.code == .overdue)
        #expect(state.isStalled)
        state.connect()
        #expect(state.isStalled)
        _ = state.send([4, 5], at: .seconds(7))
        _ = state.receive([accepted(4)])
        #expect(!state.isStalled)
        #expect(state.nextDeadline == .seconds(12))
    }

    @Test mutating func b3_aPermanentRefusalStopsNothing() {
        _ = state.send([4, 5], at: .zero)
        let tooLarge = TransportError(.tooLarge, "")
        let settlement = state.receive([
            PublishAcknowledgement(row: 4, .refused(tooLarge)), accepted(5),
        ])
        #expect(settlement == .init(accepted: [5: 5], refused: [4: tooLarge], fault: nil))
        #expect(!state.isStalled)
    }

    @Test mutating func aSupersededRowIsRemovedAndIsNoDeadLetter() {
        _ = state.send([4, 5], at: .zero)
        let superseded = TransportError(.superseded, "")
        let settlement = state.receive([
            PublishAcknowledgement(row: 4, .refused(superseded)), accepted(5),
        ])
        #expect(settlement == .init(accepted: [5: 5], superseded: [4: superseded]))
        #expect(state.removable(whileFilling: false) == [4, 5] && !state.isStalled)
    }

    @Test mutating func b7_aRefusalThatMayPassEndsTheConnection() {
        _ = state.send([4, 5], at: .zero)
        let full = TransportError(.full, "")
        let settlement = state.receive([PublishAcknowledgement(row: 4, .refused(full))])
        #expect(settlement.fault == full && settlement.refused.isEmpty && state.isStalled)
    }

    @Test mutating func b7_aRowWaitsForTheOneBeforeItOfItsLane() {
        let lanes = [4: "a", 5: "a", 7: "b", 8: "a"]
        #expect(state.send([4, 5, 6, 7], lanes: lanes, at: .zero) == [4, 6, 7])
        #expect(state.ready(atMost: 9).isEmpty)
        _ = state.receive([accepted(6), accepted(7)])
        #expect(state.send([8], lanes: lanes, at: .zero).isEmpty)
        #expect(state.ready(atMost: 9).isEmpty)
        _ = state.receive([accepted(4)])
        #expect(state.ready(atMost: 9) == [5])
        #expect(state.send([5], lanes: lanes, at: .zero) == [5])
        #expect(state.ready(atMost: 9).isEmpty)
        _ = state.receive([PublishAcknowledgement(row: 5, .refused(TransportError(.tooLarge, "")))])
        #expect(state.ready(atMost: 9) == [8])
        #expect(state.send([8], lanes: lanes, at: .zero) == [8])
        _ = state.receive([accepted(8)])
        #expect(state.ready(atMost: 9).isEmpty && state.room == 3)
        #expect(state.send([9], lanes: [9: "a"], at: .zero) == [9])
    }

    @Test mutating func lateAndRepeatedAcknowledgementsAreIgnored() {
        _ = state.send([4], at: .zero)
        #expect(state.receive([accepted(9), accepted(4), accepted(4)]).accepted == [4: 4])
        #expect(state.receive([accepted(4)]) == .init())
    }

    @Test func pausesGrowToTheirLimitAndAreHalfRandom() {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
        let pauses = (0..<6).map { _ in backoff.next(1) }
        let expected: [Duration] = [100, 200, 400, 800, 1_000, 1_000].map { .milliseconds($0) }
        #expect(pauses == expected)
        backoff.reset()
        #expect(backoff.next(0) == .milliseconds(50))
        for _ in 0..<100 { _ = backoff.next(1) }
        #expect(backoff.next(1) == .seconds(1))
    }
}
