// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsFoundation

@Suite(.timeLimit(.minutes(5)))
struct NotificationIntakeStateMachineTests {
    private var registration = NotificationIntake.Registration<Int>()

    @Test mutating func theHandleGoesBackOnce() {
        #expect(registration.complete(with: 7) == nil)
        #expect(registration.end() == 7)
        #expect(registration.end() == nil)
    }

    @Test mutating func anEndBeforeTheHandleIsThereGivesItBackWhenItComes() {
        #expect(registration.end() == nil)
        #expect(registration.complete(with: 7) == 7)
        #expect(registration.end() == nil)
    }
}
