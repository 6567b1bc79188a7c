// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel

/// Tests of playlists of WebVTT subtitles without a film.
@Suite(.timeLimit(.minutes(15)))
struct TextsAloneTests {
    private let list = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXTINF:6,
        0.vtt?a=1
        #EXTINF:6,
        1.webvtt
        #EXT-X-ENDLIST

        """

    /// Serves two segments, each with a time on the clock of the pictures and with subtitles.
    private func serve(_ test: TestLibrary, _ maps: [String], _ texts: [String]) async throws {
        let segments = zip(maps, texts).map { "WEBVTT\n\($0)\n\n\($1)\n" }
        try await test.origin.serve([
            "/t/words.m3u8": ["text": .text(list)],
            "/t/0.vtt": ["text": .text(segments[0])],
            "/t/1.webvtt": ["text": .text(segments[1])],
        ])
    }

    private func cues(_ test: TestLibrary, _ item: MediaItem) throws -> [String] {
        let path = try #require(test.library.path(of: item))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        return try WebVTTDocument(bytes).cues.map { "\($0.start)–\($0.end) \($0.text)" }
    }

    private static let start = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"
    private static let later = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1440000"

    @Test(arguments: [
        // The times continue from segment to segment, with and without a map.
        ([start, start], "00:06.000 --> 00:07.000", "00:08.000 --> 00:09.000"),
        (["", ""], "00:06.000 --> 00:07.000", "00:08.000 --> 00:09.000"),
        // The times restart in each segment, and the maps differ.
        ([start, later], "00:00.000 --> 00:01.000", "00:02.000 --> 00:03.000"),
    ])
    func o20_subtitlesAloneBecomeOneFile(
        maps: [String],
        first: String,
        other: String
    ) async throws {
        let test = try TestLibrary()
        let texts = [
            "00:01.000 --> 00:02.000\nOne\n\n00:05.000 --> 00:06.000\nover & out",
            "\(first)\nover & out\n\n\(other)\nTwo",
        ]
        try await serve(test, maps, texts)
        let item = try await test.get("/t/words.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == nil && item.mediaType == "text/vtt")
        #expect(test.mediaNames == ["words.vtt"])
        #expect(
            try cues(test, item) == ["1.0–2.0 One", "5.0–7.0 over & out", "8.0–9.0 Two"]
        )
        await test.library.stop()
    }

    @Test(arguments: [("0.txt", "seg?number=1"), ("0", "1.ts")])
    func o20_segmentsOfSubtitlesMayHaveAnyName(first: String, second: String) async throws {
        let test = try TestLibrary()
        let list = list.replacing("0.vtt?a=1", with: first).replacing("1.webvtt", with: second)
        try await test.origin.serve([
            "/t/words.m3u8": ["text": .text(list)],
            "/t/\(first)": ["text": "WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n"],
            "/t/\(second.prefix { $0 != "?" })": [
                "text": "WEBVTT\n\n00:08.000 --> 00:09.000\nTwo\n"
            ],
        ])
        let item = try await test.get("/t/words.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == nil && item.mediaType == "text/vtt")
        #expect(test.mediaNames == ["words.vtt"])
        #expect(try cues(test, item) == ["1.0–2.0 One", "8.0–9.0 Two"])
        var request = try test.request("/t/words.m3u8")
        request.choice.chapters = try ChapterRange("0:00-0:06")
        let part = try await test.get(request)
        #expect(part.failure?.message.contains("of which no part can be kept") == true, "\(part)")
        await test.library.stop()
    }

    @Test func o6_subtitlesInPlaceOfASegmentFailByName() async throws {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try SampleMedia.makeStream(in: folder, [])
        try await test.origin.serve([
            "/s/": ["directory": .text(folder)], "/s/part3.ts": ["text": "WEBVTT\n"],
        ])
        let item = try await test.get("/s/stream.m3u8")
        let words = "part3.ts is subtitles (WebVTT) in place of a segment"
        #expect(item.failure?.message.contains(words) == true, "\(item)")
        try await test.origin.serve(["/s/part3.ts": ["file": .text(folder + "/part3.ts")]])
        let again = try await test.get("/s/stream.m3u8")
        #expect(again.id == item.id && again.state == .ready, "\(again)")
        await test.library.stop()
    }

    @Test func o20_textsOfACutStreamBeginAtItsStart() async throws {
        let test = try TestLibrary()
        let map = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0"
        let texts = ["01:00:00.000 --> 01:00:02.000\nA", "01:00:10.000 --> 01:00:12.000\nB"]
        try await serve(test, [map, map], texts)
        let item = try await test.get("/t/words.m3u8")
        let document = try cues(test, item)
        #expect(document.map { $0.suffix(1) } == ["A", "B"])
        let path = try #require(test.library.path(of: item))
        let starts = try WebVTTDocument([UInt8](try Data(contentsOf: URL(filePath: path)))).cues
        #expect(starts[0].start <= 6 && starts[1].start - starts[0].start == 10, "\(document)")
        await test.library.stop()
    }

    @Test func o6_aMissingSegmentOfSubtitlesAloneFailsTheItem() async throws {
        let test = try TestLibrary()
        try await serve(test, ["", ""], ["00:01.000 --> 00:02.000\nA", ""])
        try await test.origin.serve(["/t/1.webvtt": ["status": 404, "text": "no"]])
        let item = try await test.get("/t/words.m3u8")
        #expect(item.failure?.message.hasPrefix("1 of 2 segments are missing (2)") == true)
        try await test.origin.serve(["/t/1.webvtt": ["text": "WEBVTT\n"]])
        let again = try await test.get("/t/words.m3u8")
        #expect(again.id == item.id && again.state == .ready, "\(again.failure?.message ?? "")")
        #expect(try await test.requests()["/t/0.vtt?a=1"] == 1)
        await test.library.stop()
    }

    @Test(arguments: ["", "NOTE nothing"])
    func subtitlesWithoutTextAreNoItem(text: String) async throws {
        let test = try TestLibrary()
        try await serve(test, ["", ""], [text, text])
        let item = try await test.get("/t/words.m3u8")
        #expect(item.failure?.message.contains("contain no text") == true, "\(item)")
        await test.library.stop()
    }

    @Test(arguments: [
        (LanguageChoice.all, "A", "Subtitles were left out: German."),
        (LanguageChoice.only(["de"]), "B", nil),
        (LanguageChoice.only(["fr"]), "A", "The stream has no subtitles in French."),
    ])
    func o20_aMasterOfSubtitlesAloneKeepsOneLanguage(
        choice: LanguageChoice,
        text: String,
        note: String?
    ) async throws {
        let test = try TestLibrary()
        var master = "#EXTM3U\n"
        for (name, code, word) in [("English", "en", "A"), ("German", "de", "B")] {
            master +=
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"\(name)\",LANGUAGE=\"\(code)\","
                + "DEFAULT=\(code == "en" ? "YES" : "NO"),URI=\"\(code).m3u8\"\n"
            let list = "#EXTM3U\n#EXTINF:6,\n\(code).vtt\n#EXT-X-ENDLIST\n"
            try await test.origin.serve([
                "/t/\(code).m3u8": ["text": .text(list)],
                "/t/\(code).vtt": ["text": .text("WEBVTT\n\n00:01.000 --> 00:02.000\n\(word)\n")],
            ])
        }
        try await test.origin.serve(["/t/master.m3u8": ["text": .text(master)]])
        var request = try test.request("/t/master.m3u8")
        request.choice.subtitles = choice
        let item = try await test.get(request)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try cues(test, item) == ["1.0–2.0 \(text)"])
        #expect(note.map { item.note?.contains($0) == true } ?? (item.note == nil), "\(item)")
        await test.library.stop()
    }

    @Test func o20_aRenditionOfSubtitlesAloneIsKept() async throws {
        let test = try TestLibrary()
        try await serve(test, ["", ""], ["00:01.000 --> 00:02.000\nA", ""])
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"wvtt\"\nwords.m3u8\n"
        try await test.origin.serve(["/t/master.m3u8": ["text": .text(master)]])
        let item = try await test.get("/t/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(test.mediaNames == ["t.vtt"])
        await test.library.stop()
    }

    @Test func aRecordingOfSubtitlesAloneIsRefused() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/t/words.m3u8": ["text": .text(list.replacing("#EXT-X-ENDLIST", with: ""))]
        ])
        var request = try test.request("/t/words.m3u8")
        request.live = LiveRecording()
        let item = try await test.get(request)
        #expect(item.failure?.message.contains("cannot be recorded") == true, "\(item)")
        await test.library.stop()
    }
}
