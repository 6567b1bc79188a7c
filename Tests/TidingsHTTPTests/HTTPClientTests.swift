// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTests {
    let origin: OriginServer
    let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any))

    init() throws { origin = try OriginServer() }

    @Test func fetchReturnsTheBodyAndItsFacts() async throws {
        try await origin.serve(["/a.txt": ["text": "hello", "etag": "\"v1\""]])
        let (transfer, body) = try await client.fetch(
            HTTPRequest(origin.address("/a.txt")),
            limit: 5
        )
        #expect(body == Array("hello".utf8))
        #expect(transfer.bodyEnd == .length)
        #expect(transfer.bodyBytes == 5)
        #expect(transfer.head.status == 200)
        #expect(transfer.head.contentType == "text/plain")
        #expect(transfer.head.strongValidator == "\"v1\"")
        #expect(transfer.head.acceptsRanges)
        #expect(transfer.redirects.isEmpty)
    }
}
