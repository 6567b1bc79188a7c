// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPClientTests {
    let origin: OriginServer
    let client = HTTPClient(
        HTTPClient.Configuration(addressPolicy: .any, userAgent: "tests").patient
    )

    init() throws { origin = try OriginServer() }

    @Test func fetchReturnsTheBodyAndItsHead() async throws {
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

    @Test func requestsAskForAnUncompressedBody() async throws {
        try await origin.serve(["/a": ["text": ""]])
        _ = try await client.fetch(HTTPRequest(origin.address("/a?b=c")), limit: 0)
        let entry = try #require(try await origin.log(finished: 1).first)
        #expect(entry.path == "/a?b=c")
        #expect(entry.header("Accept-Encoding") == "identity")
        #expect(entry.header("User-Agent") == "tests")
        #expect(entry.header("Cookie") == nil)
        #expect(entry.header("Authorization") == nil)
        #expect(entry.header("Expect") == nil)
    }

    @Test(arguments: [404, 410, 429, 500, 503])
    func statusesAreResponsesNotErrors(status: Int) async throws {
        try await origin.serve([
            "/a": ["status": .integer(status), "size": 5000, "headers": ["Retry-After": "7"]]
        ])
        let request = try HTTPRequest(origin.address("/a"))
        let (transfer, body) = try await client.fetch(request, limit: 16)
        #expect(transfer.head.status == status)
        #expect(transfer.head.retryAfter == .seconds(7))
        #expect(body.count == 16, "the rest of an error page is not wanted")
    }

    @Test func aRecoveredServiceIsReported() async throws {
        try await origin.serve(["/a": [["status": 503, "times": 2], ["text": "ok"]]])
        let request = try HTTPRequest(origin.address("/a"))
        var statuses: [Int] = []
        for _ in 0..<3 {
            statuses.append(try await client.fetch(request, limit: 100).transfer.head.status)
        }
        #expect(statuses == [503, 503, 200])
    }

    @Test func rangesAreRequestedWithTheirValidator() async throws {
        try await origin.serve(["/a": ["text": "0123456789", "etag": "\"v1\""]])
        let address = try origin.address("/a")
        let range = HTTPByteRange(offset: 3, length: 4)
        let same = HTTPRequest(address, range: range, ifRange: "\"v1\"")
        let (transfer, body) = try await client.fetch(same, limit: 100)
        #expect(transfer.head.status == 206)
        #expect(transfer.head.contentRange == HTTPContentRange("bytes 3-6/10"))
        #expect(String(decoding: body, as: UTF8.self) == "3456")
        let changed = HTTPRequest(address, range: range, ifRange: "\"v0\"")
        #expect(try await client.fetch(changed, limit: 100).transfer.head.status == 200)
        let rest = HTTPRequest(address, range: HTTPByteRange(offset: 8))
        #expect(try await client.fetch(rest, limit: 100).body == Array("89".utf8))
    }

    @Test(arguments: [("ignore", 200, "200"), ("wrong", 206, "206"), ("refuse", 416, "416")])
    func unexpectedRangeResponsesAreReported(mode: String, status: Int, name: String) async throws {
        try await origin.serve(["/a": ["text": "0123456789", "ranges": .text(mode)]])
        let request = HTTPRequest(
            try origin.address("/a"),
            range: HTTPByteRange(offset: 3, length: 4)
        )
        let head = try await client.fetch(request, limit: 100).transfer.head
        #expect(head.status == status)
        let expected = mode == "wrong" ? HTTPContentRange("bytes 4-7/11") : nil
        #expect(head.contentRange == expected)
    }

    @Test(arguments: [
        HTTPByteRange(offset: -1), HTTPByteRange(offset: 0, length: 0),
        HTTPByteRange(offset: 5, length: -1), HTTPByteRange(offset: .max, length: 5),
    ])
    func invalidRangesAreNotSent(range: HTTPByteRange) async throws {
        let request = HTTPRequest(try origin.address("/a"), range: range)
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(request, limit: 1)
        }
        #expect(error?.code == .protocolViolation)
        #expect(try await origin.log().isEmpty)
    }

    @Test(arguments: [
        HTTPHeader("X-A", "b\r\nX-C: d"), HTTPHeader("X-A\nB", "c"), HTTPHeader("", "c"),
        HTTPHeader("X-A", "b\u{0}"), HTTPHeader("X A", "b"), HTTPHeader("X-A:", "b"),
    ])
    func aHeaderCannotInjectAnotherHeader(header: HTTPHeader) async throws {
        let request = HTTPRequest(try origin.address("/a"), headers: [header])
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(request, limit: 1)
        }
        #expect(error?.code == .protocolViolation)
        #expect(try await origin.log().isEmpty)
    }

    @Test func o14_aPrintedRequestShowsNoSecret() throws {
        let header = HTTPHeader("Authorization", "secret")
        let address = try WebAddress("http://a/b?token=secret")
        let request = HTTPRequest(address, method: .post, headers: [header], body: [1])
        #expect("\(request)" == "POST http://a/b")
        #expect(!String(reflecting: request).contains("secret"))
        #expect(!String(describing: [header]).contains("secret"))
        #expect(!String(describing: HTTPHeaders([header])).contains("secret"))
    }

    @Test func methodsHeadersAndBodiesAreSent() async throws {
        try await origin.serve(["/a": ["text": "answer"]])
        let address = try origin.address("/a")
        let body = Array("{\"a\":1}".utf8)
        let headers = [HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Empty", "")]
        let post = HTTPRequest(address, method: .post, headers: headers, body: body)
        #expect(try await client.fetch(post, limit: 100).body == Array("answer".utf8))
        _ = try await client.fetch(HTTPRequest(address, method: .post), limit: 100)
        _ = try await client.fetch(HTTPRequest(address, method: .delete), limit: 100)
        let (head, nothing) = try await client.fetch(HTTPRequest(address, method: .head), limit: 0)
        #expect(head.bodyEnd == .none)
        #expect(head.head.contentLength == 6)
        #expect(nothing.isEmpty)
        let log = try await origin.log(finished: 4)
        #expect(log.map(\.method) == ["POST", "POST", "DELETE", "HEAD"])
        #expect(log.map(\.body) == ["{\"a\":1}", "", "", ""])
        #expect(log[0].header("Content-Type") == "application/json")
        #expect(log[0].header("X-Empty") == "")
        #expect(log[1].header("Content-Type") == nil)
    }

    @Test func connectionsAreReused() async throws {
        try await origin.serve(["/a": ["text": "a"]])
        let request = try HTTPRequest(origin.address("/a"))
        for _ in 0..<3 { _ = try await client.fetch(request, limit: 1) }
        #expect(Set(try await origin.log(finished: 3).map(\.connection)).count == 1)
    }

    @Test func clientsDoNotShareConnections() async throws {
        try await origin.serve(["/a": ["text": "a"]])
        let request = try HTTPRequest(origin.address("/a"))
        _ = try await client.fetch(request, limit: 1)
        let strict = HTTPClient()
        let error = await #expect(throws: HTTPError.self) {
            try await strict.fetch(request, limit: 1)
        }
        #expect(error?.code == .privateAddress)
        #expect(try await origin.log(finished: 1).count == 1)
    }
}
