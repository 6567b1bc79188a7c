// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct MediaSourcesTests {
    private func response(
        _ text: String,
        _ fields: [HTTPHeader] = [],
        at path: String = "a"
    ) throws -> FirstResponse {
        let head = try HTTPResponseHead(
            status: 200,
            headers: HTTPHeaders(fields),
            address: try WebAddress("http://example.org/\(path)?secret")
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

    /// The library once kept such a playlist as a text file.
    @Test(
        arguments: [
            ("a.m3u8", "text/plain", "part1.ts\n"),
            ("a", "application/vnd.apple.mpegurl", "# a comment\n"),
            ("a", "Audio/X-MPEGURL", "part1.ts"),
            ("a.m3u8", "application/octet-stream", "#EXTINF:1,\u{7}\na.ts\n"),
            ("a", "text/plain", "#EXT-X-VERSION:3\n#EXTM3U\n"), ("a", "text/plain", "\n #EXTM3U\n"),
            ("a", "text/plain", "#EXTINF:4,\npart1.ts\n"),
            ("a", "text/plain", "# a comment\n\n#EXTM3U\n#EXTINF:4,\npart1.ts\n"),
        ]
    )
    func aPlaylistWithoutItsFirstLineIsNoFile(path: String, type: String, text: String) throws {
        let response = try response(text, [HTTPHeader("Content-Type", type)], at: path)
        let error = #expect(throws: DownloadError.self) {
            try MediaSources.standard.inspect(response)
        }
        #expect(error?.code == .invalidPlaylist && error?.message.contains("secret") == false)
    }

    @Test(arguments: ["song.mp3\n", "# Songs\nhttps://media.example/1\n"])
    func aListOfLinksWithoutItsFirstLineIsAFeed(text: String) throws {
        let response = try response(text, [HTTPHeader("Content-Type", "text/plain")], at: "a.M3U")
        let (_, inspection) = try MediaSources.standard.inspect(response)
        guard case .elsewhere(let source) = inspection else {
            Issue.record("a list of links is no media")
            return
        }
        #expect(source is FeedSource)
    }

    @Test(
        arguments: [
            ("notes.txt", "A playlist begins with\n#EXTM3U\n#EXTINF:4,\n"),
            ("a.m3u8.txt", "Notes"), ("a", "#EXTRAS\nDisc 2\n"), ("a.csv", "#EXTID,NAME\n1,a\n"),
            ("a", "# a comment\ntext\n#EXTM3U\n"), ("a", "\n\n"),
        ]
    )
    func otherTextIsAFile(path: String, text: String) throws {
        let response = try response(text, [HTTPHeader("Content-Type", "text/plain")], at: path)
        #expect(try MediaSources.standard.inspect(response).kind == .file)
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

    @Test(arguments: [[], [HTTPHeader("Content-Type", "text/html; charset=utf-16")]])
    func aPageLeadsElsewhere(fields: [HTTPHeader]) throws {
        let text = fields.isEmpty ? "<html><body>" : "\0<\0h\0t\0m\0l\0>"
        let (kind, inspection) = try MediaSources.standard.inspect(try response(text, fields))
        #expect(kind == .page)
        guard case .elsewhere = inspection else {
            Issue.record("a page is not the media itself")
            return
        }
    }

    @Test(arguments: [("<html><body>", "web page")])
    func aResponseWithoutASourceIsRefusedByName(text: String, name: String) throws {
        let response = try response(text)
        let error = #expect(throws: DownloadError.self) {
            try MediaSources([HLSSource(), FileSource()]).inspect(response)
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
        #expect(MediaSources.standard.describedSource(of: .dash) is DASHSource)
        #expect(MediaSources.standard.describedSource(of: .file) == nil)
        #expect(MediaSources.standard.describedSource(of: nil) == nil)
    }
}
