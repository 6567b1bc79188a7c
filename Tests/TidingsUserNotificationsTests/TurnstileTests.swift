// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(5)))
struct TurnstileTests {
    @Test func oneAtATimeTellsAndOnceMoreForWhoCameMeanwhile() {
        var turnstile = Turnstile()
        let first = turnstile.enter()
        let toTell = turnstile.next()
        let meanwhile = [turnstile.enter(), turnstile.enter()]
        let once = [turnstile.next(), turnstile.next()]
        let later = turnstile.enter()
        #expect(first && toTell && later)
        #expect(meanwhile == [false, false])
        #expect(once == [true, false])
    }
}
