// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct PageSubtitleDownloadTests {
    /// Returns a library whose origin server has a film, a stream, subtitles and a page with the
    /// body.
    private func makeTest(_ body: String) async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeFile("film.mp4", in: test.folder.path)
        try SampleMedia.makeStream(in: test.folder.path + "/s", [])
        let page = "<title>Reef</title>" + body
        try await test.origin.serve([
            "/watch": ["text": .text(page), "type": "text/html"],
            "/film.mp4": ["file": .text(test.folder.path + "/film.mp4")],
            "/s/": ["directory": .text(test.folder.path + "/s")],
            "/en.vtt": ["text": "WEBVTT\n\n00:00.500 --> 00:01.000\nHello\n"],
            "/de.srt": ["text": "1\n00:00:00,500 --> 00:00:01,000\nHallo\n"],
        ])
        return test
    }

    private let tracks = """
        tracks: [{file: '/en.vtt', kind: 'captions', label: 'English'},
        {file: '/de.srt', kind: 'captions', label: 'Deutsch'}]
        """

    private func text(_ test: TestLibrary, _ name: String) throws -> String {
        let path = test.library.directory.mediaFile(name)
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test(arguments: ["/film.mp4", "/s/stream.m3u8"])
    func o20_theSubtitlesOfAPageAreBesideTheFilm(media: String) async throws {
        let test = try await makeTest("<script>setup({file: '\(media)', \(tracks)})</script>")
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == nil)
        #expect(test.mediaNames == ["Reef.de.vtt", "Reef.en.vtt", "Reef.mp4"])
        #expect(
            try text(test, "Reef.de.vtt")
                == "WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nHallo\n"
        )
        await test.library.stop()
    }

    @Test func o20_onlyTheChosenLanguagesAreFetched() async throws {
        let test = try await makeTest("<script>setup({file: '/film.mp4', \(tracks)})</script>")
        var request = try test.request("/watch")
        request.choice = RequestedChoice(MediaChoice(subtitles: .only(["deu"])))
        let item = try await test.get(request)
        #expect(item.note?.contains("left out") != true)
        #expect(test.mediaNames == ["Reef.de.vtt", "Reef.mp4"])
        #expect(try await test.requests()["/en.vtt"] == nil)
        await test.library.stop()
    }

    @Test(arguments: [(404, "no"), (200, "<html></html>"), (200, "WEBVTT\n")])
    func o20_subtitlesOfAPageThatFailAreNamed(status: Int, text: String) async throws {
        let test = try await makeTest("<script>setup({file: '/film.mp4', \(tracks)})</script>")
        try await test.origin.serve([
            "/en.vtt": ["status": .integer(status), "text": .text(text)]
        ])
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note?.hasPrefix("Subtitles were left out: English. ") == true)
        #expect(test.mediaNames == ["Reef.de.vtt", "Reef.mp4"])
        await test.library.stop()
    }

    @Test func o14_subtitlesOfAnotherServerGetNoHeader() async throws {
        let other = try OriginServer()
        try await other.serve(["/en.vtt": ["text": "WEBVTT\n\n00:00.500 --> 00:01.000\nHi\n"]])
        let test = try await makeTest(
            "<video src=/film.mp4><track srclang=en src='\(other.base)/en.vtt'></video>"
        )
        var options = RequestOptions()
        options.headers = [try HTTPHeader(line: "X-Token: secret")]
        var request = try test.request("/watch")
        try request.setOptions(options)
        _ = try await test.get(request)
        let sent = try #require(try await other.log().first)
        #expect(sent.header("X-Token") == nil)
        #expect(test.mediaNames == ["Reef.en.vtt", "Reef.mp4"])
        await test.library.stop()
    }

    @Test func o21_theChaptersInAPageAreInTheStream() async throws {
        let test = try await makeTest(
            """
            <script>setup({file: '/s/stream.m3u8', chapters: [{time: 0, title: 'Intro'},
            {time: 2, title: 'Fish'}]})</script>
            """
        )
        let item = try await test.get("/watch")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let path = try #require(test.library.path(of: item))
        let titles = try await MediaProbe().probe(path).chapters.map(\.title)
        #expect(titles == ["Intro", "Fish"])
        await test.library.stop()
    }

    @Test func o20_aTranscriptThatIsNotKeptIsNamed() async throws {
        let test = try await makeTest(
            "<script>setup({file: '/film.mp4', transcripts: '/words.json'})</script>"
        )
        let item = try await test.get("/watch")
        #expect(item.note == "The transcript of the page was left out.")
        await test.library.stop()
    }

    @Test func o20_anInspectionShowsTheSubtitlesOfAPage() async throws {
        let test = try await makeTest("<script>setup({file: '/film.mp4', \(tracks)})</script>")
        await test.start()
        let origin = try test.request("/watch").origin
        let choice = RequestedChoice(MediaChoice(subtitles: .only(["eng"])))
        let found = try await test.library.inspect(DownloadRequest(origin, choice: choice))
        #expect(found.subtitles.map(\.language) == ["en", "de"])
        #expect(found.subtitles.map(\.isKept) == [true, false])
        #expect(!found.notes.contains { $0.contains("left out") })
        await test.library.stop()
    }
}
