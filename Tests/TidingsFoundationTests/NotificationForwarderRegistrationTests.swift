// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsFoundation

@Suite(.timeLimit(.minutes(15)))
struct NotificationForwarderRegistrationTests {
    private var registration = NotificationForwarder.Registration<Int>()

    @Test mutating func theHandleIsRemovedOnce() {
        #expect(registration.complete(with: 7) == nil)
        #expect(registration.end() == 7)
        #expect(registration.end() == nil)
    }

    @Test mutating func aHandleThatArrivesAfterTheEndIsRemoved() {
        #expect(registration.end() == nil)
        #expect(registration.complete(with: 7) == 7)
        #expect(registration.end() == nil)
    }
}
