// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads

@Suite struct RangeRequestTests {
    private let request = RangeRequest(range: 100..<200, validator: "\"v\"", size: 1_000)

    private func head(_ status: Int, _ fields: [String: String]) throws -> HTTPResponseHead {
        try HTTPResponseHead(
            status: status,
            headers: HTTPHeaders(fields.map { HTTPHeader($0.key, $0.value) }),
            address: WebAddress("http://example.com/file")
        )
    }

    @Test func theRequestNamesItsRangeAndVersion() throws {
        var sent = HTTPRequest(try WebAddress("http://example.com/file"))
        request.apply(to: &sent)
        #expect(sent.range == HTTPByteRange(offset: 100, length: 100))
        #expect(sent.ifRange == "\"v\"")
    }

    private static let responses: [(Int, String?, String?, RangeRequest.Decision)] = [
        (206, "\"v\"", "bytes 100-199/1000", .accept),
        (206, "\"w\"", "bytes 100-199/1000", .changed),
        (206, "W/\"v\"", "bytes 100-199/1000", .refuse),
        (206, nil, "bytes 100-199/1000", .refuse),
        (206, "\"v\"", "bytes 100-199/1001", .refuse),
        (206, "\"v\"", "bytes 100-199/*", .refuse),
        (206, "\"v\"", "bytes 101-200/1000", .refuse),
        (206, "\"v\"", "bytes 100-198/1000", .refuse),
        (206, "\"v\"", "bytes 100-200/1000", .refuse),
        (206, "\"v\"", nil, .refuse),
        (200, "\"v\"", nil, .refuse),
        (200, "\"w\"", nil, .changed),
        (200, nil, nil, .refuse),
        (416, "\"w\"", "bytes */50", .refuse),
        (503, "\"w\"", nil, .refuse),
        (429, nil, nil, .refuse),
        (404, nil, nil, .refuse),
    ]

    @Test(arguments: responses)
    func o24_onlyTheSameRangeOfTheSameVersionIsAccepted(
        status: Int,
        tag: String?,
        range: String?,
        decision: RangeRequest.Decision
    ) throws {
        var fields: [String: String] = [:]
        fields["ETag"] = tag
        fields["Content-Range"] = range
        #expect(request.decision(for: try head(status, fields)) == decision)
    }

    @Test func o24_aCompressedRangeIsRefused() throws {
        let fields = [
            "ETag": "\"v\"", "Content-Range": "bytes 100-199/1000", "Content-Encoding": "gzip",
        ]
        #expect(request.decision(for: try head(206, fields)) == .refuse)
    }

    @Test func onlyAStrongVersionWithRangesAndASizeHasFurtherConnections() throws {
        let strong = ["ETag": "\"v\"", "Accept-Ranges": "bytes"]
        #expect(FileVersion(try head(200, strong), size: 1)?.validator == "\"v\"")
        #expect(FileVersion(try head(200, strong), size: nil) == nil)
        #expect(FileVersion(try head(200, ["ETag": "\"v\""]), size: 1) == nil)
        #expect(FileVersion(try head(206, ["ETag": "\"v\""]), size: 1) != nil)
        let weak = ["ETag": "W/\"v\"", "Accept-Ranges": "bytes"]
        #expect(FileVersion(try head(200, weak), size: 1) == nil)
    }
}
