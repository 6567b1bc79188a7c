// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct ReplayGateTests {
    private let gate = ReplayGate<Int>()

    @Test func holdsWhatComesUntilNothingWaits() {
        #expect(gate.holds(1))
        #expect(gate.next() == 1)
        #expect(gate.holds(2))
        #expect(gate.holds(3))
        #expect(gate.next() == 2)
        #expect(gate.next() == 3)
        #expect(gate.next() == nil)
        #expect(!gate.holds(4))
    }

    @Test func anOpenGateMakesNothingToHold() {
        #expect(gate.next() == nil)
        var isMade = false
        func make() -> Int {
            isMade = true
            return 1
        }
        // This call is outside the macro, because the macro makes every argument.
        let isHeld = gate.holds(make())
        #expect(!isHeld)
        #expect(!isMade)
    }
}
