// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct AccessTokenTests {
    @Test(arguments: ["", "short", "0123456789abcde;", "0123456789abcdef\r\n", "0123456789ábcdef"])
    func anInvalidTokenIsRefused(_ text: String) {
        #expect(AccessToken(text) == nil)
    }

    @Test func randomTokensAreLongDistinctAndValid() {
        let tokens = Set((0..<50).map { _ in AccessToken.random().text })
        #expect(tokens.count == 50)
        #expect(tokens.allSatisfy { $0.count == 64 && AccessToken($0) != nil })
    }

    @Test func onlyTheWholeTokenMatches() throws {
        let token = try #require(AccessToken("0123456789abcdef"))
        #expect(token.matches("0123456789abcdef"))
        #expect(!token.matches("0123456789abcdeF"))
        #expect(!token.matches("0123456789abcde"))
        #expect(!token.matches("0123456789abcdef0"))
        #expect(!token.matches(""))
    }
}
