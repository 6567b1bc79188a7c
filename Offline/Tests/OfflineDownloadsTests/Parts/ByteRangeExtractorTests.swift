// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct ByteRangeExtractorTests {
    private func head(_ status: Int, range: String? = nil) throws -> HTTPResponseHead {
        try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(range.map { [HTTPHeader("Content-Range", $0)] } ?? []),
            address: WebAddress("http://example.org/all.ts")
        )
    }

    @Test func returnsAllBytesWithoutARange() throws {
        var extractor = try ByteRangeExtractor(of: nil, in: head(200))
        #expect(extractor.next(100) == 0..<100)
        #expect(extractor.isComplete)
    }

    @Test func extractsTheRangeFromAWholeFile() throws {
        let range = HTTPByteRange(offset: 150, length: 100)
        var extractor = try ByteRangeExtractor(of: range, in: head(200))
        #expect(extractor.next(100) == 100..<100)
        #expect(extractor.next(100) == 50..<100)
        #expect(!extractor.isComplete)
        #expect(extractor.next(100) == 0..<50)
        #expect(extractor.isComplete)
        #expect(extractor.next(100) == 0..<0)
    }

    @Test func returnsAllBytesOfAPart() throws {
        let range = HTTPByteRange(offset: 150, length: 100)
        let head = try head(206, range: "bytes 150-249/1000")
        var extractor = try ByteRangeExtractor(of: range, in: head)
        #expect(extractor.next(100) == 0..<100)
        #expect(extractor.isComplete)
    }

    @Test(arguments: ["bytes 0-99/1000", "bytes 150-248/1000", nil])
    func refusesADifferentRange(range: String?) throws {
        let head = try head(206, range: range)
        #expect(throws: DownloadError.self) {
            try ByteRangeExtractor(of: HTTPByteRange(offset: 150, length: 100), in: head)
        }
    }

    @Test func refusesAnUnrequestedRange() throws {
        let head = try head(206, range: "bytes 0-99/1000")
        #expect(throws: DownloadError.self) { try ByteRangeExtractor(of: nil, in: head) }
    }
}
