// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct DescriptionCheckTests {
    private let source = HLSSource()

    private func document(
        _ text: String,
        endedBy end: HTTPTransfer.BodyEnd = .connectionClosed
    ) throws -> SourceDocument {
        let address = try WebAddress("http://example.org/a.m3u8")
        let head = try HTTPResponseHead(status: 200, headers: HTTPHeaders([]), address: address)
        return SourceDocument(head, bytes: Array(text.utf8), endedBy: end)
    }

    @Test(arguments: [HTTPTransfer.BodyEnd.length, .chunked])
    func o6_aProvenEndIsAccepted(end: HTTPTransfer.BodyEnd) throws {
        var check = DescriptionCheck()
        try check.accept(try document("#EXTM3U\n", endedBy: end), of: source)
    }

    @Test func o6_anUnprovenEndRequiresTheSameBytesTwiceInSuccession() throws {
        var check = DescriptionCheck()
        for text in ["#EXTM3U\n#EXT", "#EXTM3U\n#EXT-X", "#EXTM3U\n#EXT"] {
            let cut = try document(text)
            let error = #expect(throws: DownloadError.self) {
                try check.accept(cut, of: source)
            }
            #expect(error?.isTransient == true)
        }
        try check.accept(try document("#EXTM3U\n#EXT"), of: source)
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST", true),
        ("#EXTM3U\r\n#EXTINF:1,\r\na.ts\r\n #EXT-X-ENDLIST \r\n\r\n \r\n", true),
        ("#EXTM3U\n#EXT-X-ENDLIST\n#EXTINF:1,\na.ts\n", false),
        ("#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-ENDL", false),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", false),
        ("", false),
    ])
    func o6_onlyAFinalEndTagShowsTheEnd(text: String, shows: Bool) throws {
        #expect(source.showsEnd(of: try document(text)) == shows)
    }
}
