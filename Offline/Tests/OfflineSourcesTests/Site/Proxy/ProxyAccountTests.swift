// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct ProxyAccountTests {
    @Test func o27_connectionsAreLimitedAtOneTimeAndInTotal() {
        var account = ProxyAccount(.init(open: 2, total: 3, bytes: 10))
        var isOpened: [Bool] = []
        for _ in 0..<3 { isOpened.append(account.openConnection()) }
        account.closeConnection()
        isOpened.append(account.openConnection())
        account.closeConnection()
        account.closeConnection()
        isOpened.append(account.openConnection())
        #expect(isOpened == [true, true, false, true, false])
        #expect(account.isExceeded)
    }

    @Test func o27_bytesAreLimited() {
        var account = ProxyAccount(.init(open: 2, total: 3, bytes: 10))
        let isSpent = account.spend(10)
        #expect(isSpent)
        #expect(!account.isExceeded)
        let isMoreSpent = account.spend(1)
        #expect(!isMoreSpent)
        #expect(account.isExceeded)
    }

    @Test func o11_theFirstRefusedServerIsKept() {
        var account = ProxyAccount()
        account.refuse(HTTPError(.cannotConnect, "a"))
        account.refuse(HTTPError(.privateAddress, "b"))
        account.refuse(HTTPError(.ownAddress, "c"))
        #expect(account.refusal?.message == "b")
    }
}
