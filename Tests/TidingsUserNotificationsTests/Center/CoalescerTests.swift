// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsUserNotifications

@Suite(.timeLimit(.minutes(5)))
struct CoalescerTests {
    @Test func concurrentChangesCauseOneMorePass() {
        var coalescer = Coalescer()
        let first = coalescer.begin()
        let hasChange = coalescer.next()
        let meanwhile = [coalescer.begin(), coalescer.begin()]
        let passes = [coalescer.next(), coalescer.next()]
        let later = coalescer.begin()
        #expect(first && hasChange && later)
        #expect(meanwhile == [false, false])
        #expect(passes == [true, false])
    }
}
