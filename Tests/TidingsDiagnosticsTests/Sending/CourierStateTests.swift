// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct CourierStateTests {
    private var state = CourierState()

    @Test mutating func oneWorkerAtATimeLooksAgainWhenItIsAsked() {
        #expect(state.wake() == true)
        #expect(state.wake() == false)
        #expect(state.rest(for: nil) == .lookAgain)
        #expect(state.rest(for: nil) == .end)
        #expect(state.phase == .idle)
        #expect(state.wake() == true)
    }

    @Test mutating func anAlarmBeginsWorkOnceAndALateOneNone() {
        _ = state.wake()
        #expect(state.rest(for: .seconds(3)) == .sleep(alarm: 1, .seconds(3)))
        #expect(state.ring(2) == false)
        #expect(state.wake() == true)
        #expect(state.ring(1) == false)
        #expect(state.rest(for: .seconds(4)) == .sleep(alarm: 2, .seconds(4)))
        #expect(state.ring(1) == false)
        #expect(state.ring(2) == true)
        #expect(state.ring(2) == false)
    }

    @Test mutating func promise13_whatWasDecidedBeforeAHoldIsNotSent() {
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
        #expect(state.ring(1) == false)
        #expect(state.isClosed)
    }

    @Test func promise18_theDelayDoublesUpToAnHourAndChanceShortensIt() {
        let delay = SendingDelay()
        let whole = [1, 2, 3, 4, 12, 13, 1_000].map { delay.delay(afterFailures: $0, random: 0) }
        #expect(whole == [1, 2, 4, 8, 2_048, 3_600, 3_600].map { .seconds($0) })
        #expect(delay.delay(afterFailures: 2, random: 1) == .seconds(1))
        #expect(delay.delay(afterFailures: 2, random: 0.5) == .seconds(1.5))
    }
}
