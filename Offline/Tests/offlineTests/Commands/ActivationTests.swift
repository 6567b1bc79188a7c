// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock

@testable import offline

@Suite struct ActivationTests {
    @Test func aRequestBeforeTheStartShowsThePageOnce() {
        let activation = Activation()
        let shown = Lock<[String?]>([])
        activation.activate("early")
        activation.begin { token in shown.withLock { $0.append(token) } }
        #expect(shown.withLock(\.self) == ["early"])
        activation.activate(nil)
        #expect(shown.withLock(\.self) == ["early", nil])
    }
}
