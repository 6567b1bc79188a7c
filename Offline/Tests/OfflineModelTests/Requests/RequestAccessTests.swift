// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct RequestAccessTests {
    private func sent(
        to target: String,
        of address: String = "https://www.a.example/f",
        referrer: String? = nil,
        page: String? = nil,
        headers: [String] = ["X-Key: k"]
    ) throws -> [String: String] {
        let options = try RequestOptions(
            .init(
                headers: headers,
                cookies: """
                    .a.example\tTRUE\t/\tFALSE\t0\tsite\t1
                    www.a.example\tFALSE\t/f\tTRUE\t0\town\t2
                    cdn.a.example\tFALSE\t/\tFALSE\t0\tcdn\t3
                    """,
                referrer: referrer
            )
        )
        let access = RequestAccess(options: options, address: try WebAddress(address))
        let headers = access.headers(
            for: try WebAddress(target),
            from: try page.map { try WebAddress($0) },
            at: Date(timeIntervalSince1970: 0)
        )
        return Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in "\(first)|" }
    }

    @Test(arguments: [
        ("https://www.a.example/f", ["X-Key": "k", "Cookie": "own=2; site=1"]),
        ("https://www.a.example/g", ["X-Key": "k", "Cookie": "site=1"]),
        ("https://cdn.a.example/s", ["Cookie": "site=1; cdn=3"]),
        ("https://b.example/s", [:]), ("http://www.a.example/f", [:]),
        ("https://www.a.example:8443/f", [:]), ("https://cdn.a.example:8443/", [:]),
        ("https://a.example.evil/", [:]),
    ])
    func o14_eachOriginGetsWhatBelongsToIt(_ target: String, _ headers: [String: String]) throws {
        #expect(try sent(to: target) == headers)
    }

    @Test func o14_cookiesFollowFromHttpToHttpsOnly() throws {
        let address = "http://www.a.example/f"
        #expect(try sent(to: "https://www.a.example/f", of: address) == ["Cookie": "own=2; site=1"])
        #expect(try sent(to: "https://www.a.example:8443/f", of: address).isEmpty)
        #expect(try sent(to: "http://www.a.example:81/f", of: address).isEmpty)
    }

    @Test func cookiesOfAHeaderAndOfAFileAreOneHeader() throws {
        let headers = ["cookie: own=0", "Cookie: x=y"]
        #expect(
            try sent(to: "https://www.a.example/g", headers: headers) == [
                "Cookie": "own=0; x=y; site=1"
            ]
        )
    }

    @Test(arguments: [
        ("https://www.a.example/g", nil, "https://www.a.example/p?secret=1"),
        ("https://b.example/g", nil, "https://www.a.example/"),
        ("http://b.example/g", nil, nil),
        ("https://b.example/g", "https://b.example/page", "https://b.example/page"),
    ])
    func o14_theRefererFollowsTheDefaultPolicyOfBrowsers(
        _ target: String,
        _ page: String?,
        _ referer: String?
    ) throws {
        let referrer = "https://www.a.example/p?secret=1"
        #expect(try sent(to: target, referrer: referrer, page: page)["Referer"] == referer)
    }
}
