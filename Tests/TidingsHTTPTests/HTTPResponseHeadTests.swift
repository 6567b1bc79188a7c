// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct HTTPResponseHeadTests {
    private static let noon = "Fri, 20 Nov 2026 12:00:00 GMT"
    private static let noonAndAMinute = "Fri, 20 Nov 2026 12:01:00 GMT"
    private static let almostAMinute = "Fri, 20 Nov 2026 12:00:59 GMT"

    private func head(_ fields: [(String, String)], status: Int = 200) throws -> HTTPResponseHead {
        try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(fields.map { HTTPHeader($0.0, $0.1) }),
            address: WebAddress("http://a/")
        )
    }

    @Test(arguments: [
        ("bytes 0-499/1234", 0, 499, 1234), ("bytes 5-5/6", 5, 5, 6), ("BYTES 1-2/*", 1, 2, nil),
        ("bytes  0-0/1", 0, 0, 1),
    ])
    func contentRangesAreRead(text: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(try head([("Content-Range", text)]).contentRange)
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */1234", "bytes 5-4/10", "bytes 0-9/9", "bytes -5-9/20", "items 0-1/2",
        "bytes 0-1/2/3", "bytes 0-1", "bytes 0-99999999999999999999/*", "bytes +0-1/2",
        "bytes 0 -1/2", "bytes -/2", "bytes 0-1/",
    ])
    func invalidContentRangesAreIgnored(text: String) throws {
        #expect(try head([("Content-Range", text)]).contentRange == nil)
    }

    @Test func twoContentRangesAreIgnored() throws {
        let fields = [("Content-Range", "bytes 0-1/2"), ("Content-Range", "bytes 0-1/2")]
        #expect(try head(fields).contentRange == nil)
    }

    @Test(arguments: [
        ([("ETag", "\"a\"")], "\"a\""),
        ([("ETag", "\"\"")], "\"\""),
        ([("ETag", "W/\"a\"")], nil),
        ([("ETag", "a")], nil),
        ([("ETag", "\"a")], nil),
        ([("ETag", "\"a\"b\"")], nil),
        ([("ETag", "\"\u{E9}\"")], nil),
        ([("Last-Modified", noon), ("Date", noonAndAMinute)], noon),
        ([("Last-Modified", noon), ("Date", almostAMinute)], nil),
        ([("Last-Modified", noonAndAMinute), ("Date", noon)], nil),
        ([("Last-Modified", noon)], nil),
        ([("Last-Modified", "yesterday or so"), ("Date", noon)], nil),
        ([("ETag", "\"a\""), ("Last-Modified", noon), ("Date", noonAndAMinute)], "\"a\""),
        ([], nil),
    ])
    func onlyStrongValidatorsAreUsed(fields: [(String, String)], expected: String?) throws {
        #expect(try head(fields).strongValidator == expected)
    }

    @Test(arguments: [
        ([("Retry-After", "120")], 120),
        ([("Retry-After", "0")], 0),
        ([("Retry-After", "-5")], 0),
        ([("Retry-After", noonAndAMinute), ("Date", noon)], 60),
        ([("Retry-After", noon), ("Date", noonAndAMinute)], 0),
        ([("Retry-After", "Friday, 20-Nov-26 12:01:00 GMT"), ("Date", noon)], 60),
        ([("Retry-After", "Fri Nov 20 12:01:00 2026"), ("Date", noon)], 60),
        ([("Retry-After", "soon")], nil),
        ([], nil),
    ])
    func retryAfterIsSecondsOrADate(fields: [(String, String)], expected: Int?) throws {
        #expect(try head(fields, status: 503).retryAfter == expected.map { .seconds($0) })
    }

    @Test func typeLengthAndCodingAreRead() throws {
        let answer = try head([
            ("content-type", "Video/MP2T ; x=y"), ("content-length", "12"),
            ("content-encoding", "GZIP"), ("accept-ranges", "Bytes"),
        ])
        #expect(answer.contentType == "video/mp2t")
        #expect(answer.contentLength == 12)
        #expect(answer.contentEncoding == "gzip")
        #expect(answer.acceptsRanges)
        let bare = try head([("content-type", " "), ("content-encoding", "identity")])
        #expect(bare.contentType == nil)
        #expect(bare.contentEncoding == nil)
        #expect(bare.contentLength == nil)
        #expect(!bare.acceptsRanges)
    }

    @Test func aLengthAppliesOnlyToABody() throws {
        #expect(try head([("Content-Length", "5"), ("Content-Length", "5")]).contentLength == 5)
        #expect(try head([("Content-Length", "5")], status: 304).contentLength == nil)
        let chunked = [("Content-Length", "5"), ("Transfer-Encoding", "chunked")]
        #expect(try head(chunked).contentLength == nil)
    }
}
