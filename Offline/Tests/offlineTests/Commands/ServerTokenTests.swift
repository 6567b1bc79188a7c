// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ServerTokenTests {
    @Test(arguments: ["", "short", "a token with spaces", String(repeating: "a", count: 257)])
    func aMalformedTokenIsReplaced(_ stored: String) {
        #expect(ServerToken(rawValue: stored).valid == nil)
    }

    @Test func aStoredTokenIsKept() {
        let token = String(repeating: "a", count: 64)
        #expect(ServerToken(rawValue: token).valid == token)
    }
}
