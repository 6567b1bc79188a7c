// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPClientBodyTests {
    let origin: OriginServer
    let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)

    init() throws { origin = try OriginServer() }

    private func failure(_ path: String, limit: Int = 1 << 20) async throws -> HTTPError {
        let request = try HTTPRequest(origin.address(path + "?token=secret"))
        let error = await #expect(throws: HTTPError.self) {
            try await client.fetch(request, limit: limit)
        }
        let found = try #require(error)
        #expect(!found.description.contains("secret"))
        return found
    }

    @Test(arguments: [
        ("length", HTTPTransfer.BodyEnd.length), ("chunked", .chunked),
        ("close", .connectionClosed),
    ])
    func o6_theEndOfABodyIsReported(framing: String, end: HTTPTransfer.BodyEnd) async throws {
        try await origin.serve(["/a": ["size": 100_000, "framing": .text(framing)]])
        let recorder = Recorder()
        let request = try HTTPRequest(origin.address("/a"))
        let transfer = try await client.perform(request, receiver: recorder)
        #expect(transfer.bodyEnd == end)
        #expect(transfer.bodyBytes == 100_000)
        #expect(recorder.body.count == 100_000)
        #expect(recorder.heads.count == 1)
    }

    @Test(
        arguments: [
            ["size": 1000, "cut": 0], ["size": 1000, "cut": 999],
            ["size": 100, "announce": 101, "close": true],
            ["size": 1000, "cut": 500, "reset": true],
            ["size": 1000, "framing": "chunked", "cut": 500],
            ["size": 1000, "framing": "chunked", "cut": 1000], ["raw": ""],
            ["raw": "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello"],
            ["raw": "HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n5\r\nhello\r\n0\r\n"],
            ["raw": "HTTP/1.1 200 OK\r\nContent-Le"],
        ] as [JSON]
    )
    func o6_anIncompleteBodyIsCut(route: JSON) async throws {
        try await origin.serve(["/a": route])
        let error = try await failure("/a")
        #expect(error.code == .cut)
        #expect(error.isTransient)
    }

    @Test func aDisguisedChunkedBodyIsNotComplete() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n5\r\nhello"
        try await origin.serve(["/a": ["raw": .text(head)]])
        let request = try HTTPRequest(origin.address("/a"))
        let transfer = try await client.fetch(request, limit: 100).transfer
        #expect(transfer.bodyEnd == .connectionClosed)
    }

    @Test func bytesBeyondTheAnnouncedLengthAreIgnored() async throws {
        try await origin.serve(["/a": ["size": 100, "announce": 10, "close": true]])
        let request = try HTTPRequest(origin.address("/a"))
        #expect(try await client.fetch(request, limit: 100).body.count == 10)
    }

    @Test(
        arguments: [
            ["raw": "hello, I am no web server\r\n"],
            ["raw": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"],
            ["raw": "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhello!"],
            ["raw": "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello!"],
            ["raw": "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
            ["raw": "HTTP/1.1 200 OK\r\n", "rawRepeat": ["X-Flood: 0123456789\r\n", 100_000]],
            ["raw": "HTTP/1.1 200 OK\r\nX-Long: ", "rawRepeat": ["0123456789abcdef", 100_000]],
            ["rawRepeat": ["HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 100_000]],
            ["raw": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello"],
        ] as [JSON]
    )
    func invalidHTTPIsAProtocolViolation(route: JSON) async throws {
        try await origin.serve(["/a": route])
        let error = try await failure("/a")
        #expect(error.code == .protocolViolation)
        #expect(!error.isTransient)
    }

    @Test func trailersAreLimitedToo() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
        try await origin.serve(["/a": ["raw": .text(head), "rawRepeat": ["T: 0\r\n", 100_000]]])
        #expect(try await failure("/a").code == .protocolViolation)
    }

    @Test func compressedBodiesAreNeverDecompressed() async throws {
        try await origin.serve(["/a": ["gzip": 50_000_000]])
        let request = try HTTPRequest(origin.address("/a"))
        let (transfer, body) = try await client.fetch(request, limit: 1 << 20)
        #expect(transfer.head.contentEncoding == "gzip")
        #expect(transfer.bodyBytes == Int64(body.count))
        #expect(body.count < 100_000)
    }

    @Test(
        arguments: [
            ["endless": true], ["size": 2_000_000], ["size": 2_000_000, "framing": "close"],
        ] as [JSON]
    )
    func fetchStopsAtItsLimit(route: JSON) async throws {
        try await origin.serve(["/a": route])
        let error = try await failure("/a", limit: 1 << 20)
        #expect(error.code == .tooLarge)
        #expect(!error.isTransient)
    }

    @Test func anEndlessErrorPageIsStopped() async throws {
        try await origin.serve(["/a": ["status": 404, "endless": true]])
        #expect(try await failure("/a", limit: 16).code == .tooLarge)
    }

    @Test func theErrorOfTheReceiverIsTheCause() async throws {
        struct Full: Error {}
        try await origin.serve(["/a": ["endless": true]])
        let recorder = Recorder { count in if count > 1_000_000 { throw Full() } }
        let request = try HTTPRequest(origin.address("/a?token=secret"))
        let error = await #expect(throws: HTTPError.self) {
            try await client.perform(request, receiver: recorder)
        }
        #expect(error?.code == .stopped)
        #expect(error?.cause is Full)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: [0, 1_000_000], [HTTPDecision.Stop.complete, .restart(reason: "Other file")])
    func theDecisionOfTheReceiverIsReturned(after bytes: Int, stop: HTTPDecision.Stop) async throws
    {
        try await origin.serve(["/a": ["endless": true]])
        let recorder = Recorder(decide: { count in count >= bytes ? .stop(stop) : .proceed })
        let request = try HTTPRequest(origin.address("/a"))
        let transfer = try await client.perform(request, receiver: recorder)
        recorder.end()
        #expect(transfer.bodyEnd == .stopped(stop))
        #expect(transfer.bodyBytes == Int64(recorder.body.count))
        #expect(recorder.body.count >= bytes)
        #expect(recorder.callsAfterEnd == 0)
    }

    @Test func aClientIsUsableAfterAStop() async throws {
        try await origin.serve(["/a": ["endless": true], "/b": ["size": 100]])
        let recorder = Recorder(decide: { _ in .stop(.complete) })
        let first = try HTTPRequest(origin.address("/a"))
        _ = try await client.perform(first, receiver: recorder)
        let second = try HTTPRequest(origin.address("/b"))
        #expect(try await client.fetch(second, limit: 100).body.count == 100)
    }

    @Test func aChangedFileHasANewValidator() async throws {
        try await origin.serve(["/a": [["size": 100, "seed": 1], ["size": 100, "seed": 2]]])
        let request = try HTTPRequest(origin.address("/a"))
        let first = try await client.fetch(request, limit: 100)
        let second = try await client.fetch(request, limit: 100)
        #expect(first.body != second.body)
        #expect(first.transfer.head.strongValidator != second.transfer.head.strongValidator)
    }
}
