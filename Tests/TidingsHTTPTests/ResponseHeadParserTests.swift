// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct ResponseHeadParserTests {
    private func parse(_ lines: [String], maximumBytes: Int = 1000) throws -> HTTPResponseHead? {
        var parser = ResponseHeadParser(
            address: try WebAddress("http://a/b?secret"),
            maximumBytes: maximumBytes
        )
        var head: HTTPResponseHead?
        for line in lines {
            let bytes = Array((line + "\r\n").utf8)
            if let made = try bytes.withUnsafeBytes({ try parser.parse($0) }) { head = made }
        }
        return head
    }

    @Test func statusAndFieldsAreRead() throws {
        let head = try #require(try parse(["HTTP/1.1 200 OK", "A: 1", "a:2 ", "B:", ""]))
        #expect(head.status == 200)
        #expect(head.headers.all("A") == ["1", "2"])
        #expect(head.headers.first("b") == "")
        #expect(head.headers.first("c") == nil)
    }

    @Test(arguments: [
        ([0x4D, 0xC3, 0xBC], "M\u{FC}"), ([0x4D, 0xFC, 0x68], "M\u{FC}h"),
    ])
    func bytesThatAreNoUTF8AreLatin1(bytes: [UInt8], text: String) throws {
        var parser = ResponseHeadParser(address: try WebAddress("http://a/"), maximumBytes: 1000)
        for line in [Array("HTTP/1.1 200 OK".utf8), Array("A: ".utf8) + bytes] {
            _ = try line.withUnsafeBytes { try parser.parse($0) }
        }
        let head = try [UInt8]().withUnsafeBytes { try parser.parse($0) }
        #expect(head?.headers.first("A") == text)
    }

    @Test func theFieldsOfInterimResponsesAreDropped() throws {
        let lines = ["HTTP/1.1 103 Early", "Link: x", "", "HTTP/1.1 404 No", "A: 1", ""]
        let head = try #require(try parse(lines))
        #expect(head.status == 404)
        #expect(head.headers.first("Link") == nil)
    }

    @Test func aFieldThatLooksLikeAStatusLineIsAField() throws {
        let head = try #require(try parse(["HTTP/1.1 200 OK", "HTTP/1.1 404: x", ""]))
        #expect(head.status == 200)
    }

    @Test func foldedFieldsAreJoined() throws {
        let head = try #require(try parse(["HTTP/1.1 200 OK", "A: 1", "  2", ""]))
        #expect(head.headers.first("A") == "1 2")
    }

    @Test func aNameWithASpaceIsADifferentName() throws {
        let lines = ["HTTP/1.1 200 OK", "Transfer-Encoding : chunked", "Content-Length: 5", ""]
        let head = try #require(try parse(lines))
        #expect(head.headers.first("Transfer-Encoding") == nil)
        #expect(head.contentLength == 5)
    }

    @Test func trailersChangeNothing() throws {
        let head = try #require(try parse(["HTTP/1.1 200 OK", "", "ETag: \"x\"", ""]))
        #expect(head.headers.first("ETag") == nil)
    }

    @Test(arguments: [
        ["HTTP/1.1 101 Switching Protocols", ""],
        ["HTTP/1.1 999 Odd", ""],
        ["HTTP/1.1 OK", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 6", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 5, 6", ""],
        ["HTTP/1.1 200 OK", "Content-Length: -5", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding:", " chunked", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 5", "\t0", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 99999999999999999999", ""],
        ["HTTP/1.1 200 OK", "A: " + String(repeating: "x", count: 1000), ""],
        ["HTTP/1.1 200 OK", ""] + Array(repeating: "Trailer: x", count: 100),
        Array(repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 100),
    ])
    func hostileHeadsAreViolations(lines: [String]) {
        let error = #expect(throws: HTTPError.self) { try parse(lines) }
        #expect(error?.code == .protocolViolation)
        #expect(error.map { !$0.description.contains("secret") } == true)
    }
}
