// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct MediaSourcesTests {
    private func response(_ text: String, _ fields: [HTTPHeader] = []) throws -> FirstResponse {
        let head = try HTTPResponseHead(
            status: 200,
            headers: HTTPHeaders(fields),
            address: try WebAddress("http://example.org/a?secret")
        )
        return FirstResponse(head, prefix: Array(text.utf8))
    }

    @Test func aPlaylistIsADescription() throws {
        let (kind, inspection) = try MediaSources.standard.inspect(try response("#EXTM3U\n"))
        #expect(kind == .stream)
        guard case .description(let source) = inspection else {
            Issue.record("a playlist is not the media itself")
            return
        }
        #expect(source is HLSSource)
    }

    @Test func anyOtherBodyIsAFile() throws {
        let fields = [
            HTTPHeader("Content-Type", "Text/CSV; a=b"), HTTPHeader("Content-Length", "9"),
        ]
        let (kind, inspection) = try MediaSources.standard.inspect(try response("a,b", fields))
        #expect(kind == .file)
        guard case .whole(let part) = inspection else {
            Issue.record("a file is the media itself")
            return
        }
        #expect(part == WholePart(mediaType: "text/csv", totalBytes: 9))
    }

    @Test(arguments: [("<html><body>", "web page"), ("<MPD>", "DASH")])
    func aResponseWithoutASourceIsRefusedByName(text: String, name: String) throws {
        let response = try response(text)
        let error = #expect(throws: DownloadError.self) {
            try MediaSources.standard.inspect(response)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(name) == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func withoutTheFileSourceAFileIsRefused() throws {
        let response = try response("a,b")
        let error = #expect(throws: DownloadError.self) {
            try MediaSources([HLSSource()]).inspect(response)
        }
        #expect(error?.code == .unsupported)
    }

    @Test func onlyADescribedSourceKeepsItsItems() {
        #expect(MediaSources.standard.describedSource(of: .stream) is HLSSource)
        #expect(MediaSources.standard.describedSource(of: .file) == nil)
        #expect(MediaSources.standard.describedSource(of: nil) == nil)
    }
}
