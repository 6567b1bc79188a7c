// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct ReportSenderStateTests {
    private var state = ReportSenderState()

    @Test mutating func oneWorkerAtATimeChecksAgainWhenItIsWoken() {
        #expect(state.wake() == true)
        #expect(state.wake() == false)
        #expect(state.rest(for: nil) == .lookAgain)
        #expect(state.rest(for: nil) == .end)
        #expect(state.phase == .idle)
        #expect(state.wake() == true)
    }

    @Test mutating func aTimerStartsAWorkerOnceAndAStaleOneNever() {
        _ = state.wake()
        #expect(state.rest(for: .seconds(3)) == .sleep(timer: 1, .seconds(3)))
        #expect(state.fire(2) == false)
        #expect(state.wake() == true)
        #expect(state.fire(1) == false)
        #expect(state.rest(for: .seconds(4)) == .sleep(timer: 2, .seconds(4)))
        #expect(state.fire(1) == false)
        #expect(state.fire(2) == true)
        #expect(state.fire(2) == false)
    }

    @Test mutating func r13_aDecisionBeforeAHoldIsNotSent() {
        _ = state.wake()
        let version = state.version
        state.hold()
        #expect(state.beginSend(decidedAt: state.version) == false)
        state.release()
        #expect(state.beginSend(decidedAt: version) == false)
        #expect(state.beginSend(decidedAt: state.version) == true)
        #expect(state.endSend() == false)
        #expect(state.beginSend(decidedAt: state.version) == true)
        state.hold()
        #expect(state.endSend() == true)
    }

    @Test mutating func nothingBeginsAfterTheEnd() {
        _ = state.wake()
        let version = state.version
        state.close()
        #expect(state.beginSend(decidedAt: version) == false)
        #expect(state.beginSend(decidedAt: state.version) == false)
        #expect(state.rest(for: .seconds(1)) == .end)
        #expect(state.wake() == false)
        #expect(state.fire(1) == false)
        #expect(state.isClosed)
    }

    @Test func r18_theBackoffDoublesUpToAnHourWithJitter() {
        let backoff = SendingBackoff()
        let whole = [1, 2, 3, 4, 12, 13, 1_000].map { backoff.delay(afterFailures: $0, random: 0) }
        #expect(whole == [1, 2, 4, 8, 2_048, 3_600, 3_600].map { .seconds($0) })
        #expect(backoff.delay(afterFailures: 2, random: 1) == .seconds(1))
        #expect(backoff.delay(afterFailures: 2, random: 0.5) == .seconds(1.5))
    }
}
