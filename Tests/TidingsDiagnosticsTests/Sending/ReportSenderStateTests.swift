// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReportSenderStateTests {
    private var state = ReportSenderState()

    @Test mutating func oneWorkerAtATimeChecksAgainWhenItIsWoken() {
        #expect(state.wake() == .start)
        #expect(state.wake() == .none)
        #expect(state.rest(for: nil) == .lookAgain)
        #expect(state.rest(for: nil) == .end)
        #expect(state.phase == .idle)
        #expect(state.wake() == .start)
    }

    @Test mutating func aWorkerThatSleepsIsWokenOnce() {
        _ = state.wake()
        #expect(state.rest(for: .seconds(3)) == .sleep(.seconds(3)))
        #expect(state.wake() == .endSleep)
        #expect(state.wake() == .none)
        state.endSleep()
        #expect(state.rest(for: .seconds(4)) == .lookAgain)
        #expect(state.rest(for: .seconds(4)) == .sleep(.seconds(4)))
        state.endSleep()
        #expect(state.wake() == .none)
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
        #expect(state.wake() == .none)
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
