// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct SliceTests {
    private func head(_ status: Int, range: String? = nil) throws -> HTTPResponseHead {
        try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(range.map { [HTTPHeader("Content-Range", $0)] } ?? []),
            address: WebAddress("http://example.org/all.ts")
        )
    }

    @Test func takesEverythingWithoutARange() throws {
        var slice = try Slice(of: nil, in: head(200))
        #expect(slice.take(100) == 0..<100)
        #expect(slice.isWhole)
    }

    @Test func cutsTheRangeOutOfAWholeFile() throws {
        var slice = try Slice(of: HTTPByteRange(offset: 150, length: 100), in: head(200))
        #expect(slice.take(100) == 100..<100)
        #expect(slice.take(100) == 50..<100)
        #expect(!slice.isWhole)
        #expect(slice.take(100) == 0..<50)
        #expect(slice.isWhole)
        #expect(slice.take(100) == 0..<0)
    }

    @Test func takesAPartAsItIs() throws {
        let range = HTTPByteRange(offset: 150, length: 100)
        var slice = try Slice(of: range, in: head(206, range: "bytes 150-249/1000"))
        #expect(slice.take(100) == 0..<100)
        #expect(slice.isWhole)
    }

    @Test(arguments: ["bytes 0-99/1000", "bytes 150-248/1000", nil])
    func refusesAnotherPart(range: String?) throws {
        let head = try head(206, range: range)
        #expect(throws: DownloadError.self) {
            try Slice(of: HTTPByteRange(offset: 150, length: 100), in: head)
        }
    }

    @Test func refusesAPartThatNobodyAskedFor() throws {
        let head = try head(206, range: "bytes 0-99/1000")
        #expect(throws: DownloadError.self) { try Slice(of: nil, in: head) }
    }
}
