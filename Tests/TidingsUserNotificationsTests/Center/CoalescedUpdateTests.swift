// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(15)))
struct CoalescedUpdateTests {
    @Test func concurrentChangesCauseOneMorePass() {
        var update = CoalescedUpdate()
        let first = update.begin()
        let hasChange = update.next()
        let meanwhile = [update.begin(), update.begin()]
        let passes = [update.next(), update.next()]
        let later = update.begin()
        #expect(first && hasChange && later)
        #expect(meanwhile == [false, false])
        #expect(passes == [true, false])
    }
}
