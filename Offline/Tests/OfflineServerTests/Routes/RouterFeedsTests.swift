// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RouterFeedsTests {
    @Test func theListOfFeedsIsEmptyAtFirst() async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("GET", "/api/feeds")
            #expect(response.status == 200)
            #expect(response.text == #"{"feeds":[]}"#)
        }
    }

    @Test(arguments: [
        ("POST", "/api/feeds", #"{"address":"file:///etc/passwd"}"#, 400),
        ("POST", "/api/feeds", #"{"address":"https://a.example/","keep":0}"#, 400),
        ("POST", "/api/feeds", #"{"address":"https://a.example/","checksum":"md5:x"}"#, 400),
        ("POST", "/api/feeds", "{}", 400),
        ("POST", "/api/feeds", #"{"address":"http://127.0.0.1:9/"}"#, 400),
        ("POST", "/api/feeds/1/check", "{}", 404), ("POST", "/api/feeds/x/check", "{}", 404),
        ("POST", "/api/feeds/1/other", "{}", 404), ("DELETE", "/api/feeds/1", "{}", 404),
        ("POST", "/api/items/1/keep", "{}", 404),
    ])
    func wrongRequestsAreRefused(
        method: String,
        path: String,
        body: String,
        status: Int
    ) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send(method, path, body: body)
            #expect(response.status == status)
        }
    }
}
