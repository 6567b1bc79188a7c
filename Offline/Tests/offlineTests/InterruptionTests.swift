// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import offline

@Suite(.serialized, .timeLimit(.minutes(5)))
struct InterruptionTests {
    @Test func anIgnoredSignalStaysIgnored() {
        let before = signal(SIGHUP, SIG_IGN)
        #expect(Interruption.isIgnored(SIGHUP))
        signal(SIGHUP, SIG_DFL)
        #expect(!Interruption.isIgnored(SIGHUP))
        signal(SIGHUP, before)
    }
}
