// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel

/// Tests of streams with subtitles in WebVTT beside the pictures.
@Suite(.timeLimit(.minutes(15)))
struct SubtitleDownloadTests {
    private let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,\
        URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="../Signs",LANGUAGE="de-DE",FORCED=YES,\
        URI="de.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=160x90,SUBTITLES="s"
        stream.m3u8

        """

    /// Returns a library whose server has six seconds of pictures, and subtitles in two segments.
    private func makeTest(
        _ options: [String] = [],
        configure: (inout LibraryConfiguration) -> Void = { _ in }
    ) async throws -> TestLibrary {
        let test = try TestLibrary(configure: configure)
        let folder = test.folder.path + "/s"
        try SampleMedia.makeStream(in: folder, options)
        var routes: [String: JSON] = ["/s/": ["directory": .text(folder)]]
        routes["/s/master.m3u8"] = ["text": .text(master)]
        let ticks = try firstTicks(folder, options)
        for (language, word) in [("en", "Hello"), ("de", "Hallo")] {
            routes["/s/\(language).m3u8"] = [
                "text": .text(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n\(language)0.vtt\n"
                        + "#EXTINF:3,\n\(language)1.vtt\n#EXT-X-ENDLIST\n"
                )
            ]
            let map = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n\n"
            routes["/s/\(language)0.vtt"] = [
                "text": .text(
                    map + "00:01.000 --> 00:02.000 line:0\n<b>\(word)</b>\n\n"
                        + "00:02.500 --> 00:03.500\nover & out\n"
                )
            ]
            routes["/s/\(language)1.vtt"] = [
                "text": .text(
                    map + "00:02.500 --> 00:03.500\nover & out\n\n"
                        + "00:04.000 --> 00:05.000\n\(word) 2\n"
                )
            ]
        }
        try await test.origin.serve(routes)
        return test
    }

    /// Returns the time of the first picture or sound in units of 1/90000 seconds.
    private func firstTicks(_ folder: String, _ options: [String]) throws -> Int {
        guard options.isEmpty else { return 0 }
        let starts = try SampleMedia.entries("stream=start_time", of: folder + "/part0.ts")
        return Int(((starts.compactMap(Double.init).min() ?? 0) * 90_000).rounded())
    }

    /// Returns a segment with a subtitle one second after a time on the clock of the pictures.
    private func segment(_ text: String, _ ticks: Int) -> JSON {
        [
            "text": .text(
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n\n"
                    + "00:01.000 --> 00:01.500\n\(text)\n"
            )
        ]
    }

    private func texts(_ test: TestLibrary, _ item: MediaItem) throws -> [String] {
        let path = try #require(test.library.path(of: item))
        return try SampleMedia.entries("stream=codec_name:stream_tags=language", of: path)
            .filter { $0.hasPrefix("mov_text") }
    }

    private func starts(_ test: TestLibrary, _ name: String) throws -> [SubtitleCue] {
        let path = test.library.directory.mediaFile(name)
        return try WebVTTDocument([UInt8](try Data(contentsOf: URL(filePath: path)))).cues
    }

    private func cues(_ test: TestLibrary, _ name: String) throws -> [String] {
        let path = test.library.directory.mediaFile(name)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        return try WebVTTDocument(bytes).cues.map { "\($0.start)–\($0.end) \($0.text)" }
    }

    @Test(arguments: [
        [], ["-hls_segment_type", "fmp4", "-hls_segment_filename", "part%d.m4s"],
    ])
    func o20_everyLanguageIsKept(options: [String]) async throws {
        let test = try await makeTest(options)
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == nil)
        let path = try #require(test.library.path(of: item))
        #expect(try SampleMedia.frames(of: path) == 60)
        #expect(try texts(test, item) == ["mov_text,eng", "mov_text,deu"])
        let entries = try SampleMedia.entries(
            "packet=pts_time,duration_time",
            of: path,
            ["-select_streams", "s:0"]
        )
        let shown = entries.compactMap { line -> [Double]? in
            let numbers = line.split(separator: ",").compactMap { Double($0) }
            return numbers.count == 2 ? numbers : nil
        }
        let starts = [1.0, 2.5, 4]
        #expect(
            starts.allSatisfy { start in shown.contains { abs($0[0] - start) < 0.01 } },
            "\(entries)"
        )
        #expect(
            try cues(test, "s.en.vtt") == [
                "1.0–2.0 <b>Hello</b>", "2.5–3.5 over & out", "4.0–5.0 Hello 2",
            ]
        )
        #expect(try cues(test, "s.de.forced.vtt").count == 3)
        await test.library.stop()
    }

    @Test(arguments: [
        ("/s/de.m3u8", 404, "no"), ("/s/de.m3u8", 200, "<html></html>"), ("/s/de1.vtt", 404, "no"),
        ("/s/de1.vtt", 200, "garbage"), ("/s/de1.vtt", 200, "<!doctype html><html>"),
        ("/s/de.m3u8", 200, "#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.mp4\n#EXT-X-ENDLIST"),
    ])
    func o20_aLanguageThatFailsIsNamed(path: String, status: Int, text: String) async throws {
        let test = try await makeTest()
        try await test.origin.serve([path: ["status": .integer(status), "text": .text(text)]])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note?.contains("Subtitles were left out: ") == true, "\(item.note ?? "")")
        #expect(try texts(test, item) == ["mov_text,eng"])
        let names = test.mediaNames
        #expect(names == ["s.en.vtt", "s.mp4"])
        await test.library.stop()
    }

    @Test func o20_textsFollowTheSectionsOfThePictures() async throws {
        let test = try await makeTest()
        let ticks = try firstTicks(test.folder.path + "/s", [])
        let start = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        let pictures =
            "#EXTINF:1,\npart0.ts\n#EXTINF:1,\npart1.ts\n#EXT-X-DISCONTINUITY\n"
            + "#EXTINF:1,\npart0.ts\n#EXTINF:1,\npart1.ts\n#EXT-X-ENDLIST\n"
        let texts = "#EXTINF:2,\na.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nb.vtt\n#EXT-X-ENDLIST\n"
        try await test.origin.serve([
            "/s/stream.m3u8": ["text": .text(start + pictures)],
            "/s/en.m3u8": ["text": .text(start + texts)],
            "/s/a.vtt": segment("A", ticks), "/s/b.vtt": segment("B", ticks),
        ])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let shown = try starts(test, "s.en.vtt")
        #expect(shown.map(\.text) == ["A", "B"])
        #expect(abs(shown[0].start - 1) < 0.01 && abs(shown[1].start - 3) < 0.15, "\(shown)")
        await test.library.stop()
    }

    @Test func o20_textsAreInTimeBesideSeparateSound() async throws {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try SampleMedia.makeMaster(in: folder, [])
        let pictures = try SampleMedia.entries("stream=start_time", of: folder + "/part0-0.x")
        let ticks = Int((try #require(pictures.compactMap(Double.init).first) * 90_000).rounded())
        let master = try String(contentsOfFile: folder + "/master.m3u8", encoding: .utf8)
            .replacing("#EXT-X-STREAM-INF:", with: "#EXT-X-STREAM-INF:SUBTITLES=\"s\",")
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"A\",URI=\"t.m3u8\"\n"
        try await test.origin.serve([
            "/s/": ["directory": .text(folder)],
            "/s/master.m3u8": ["text": .text(master + "\n" + media)],
            "/s/t.m3u8": ["text": "#EXTM3U\n#EXTINF:6,\na.vtt\n#EXT-X-ENDLIST\n"],
            "/s/a.vtt": segment("A", ticks),
        ])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try self.texts(test, item).count == 1)
        let shown = try starts(test, "s.und.vtt")
        #expect(shown.map(\.text) == ["A"] && abs(shown[0].start - 1) < 0.01, "\(shown)")
        await test.library.stop()
    }

    @Test func o20_noSubtitlesAreShownUnasked() async throws {
        let test = try await makeTest()
        try await test.origin.serve([
            "/s/master.m3u8": ["text": .text(master.replacing("DEFAULT=YES", with: "DEFAULT=NO"))]
        ])
        let item = try await test.get("/s/master.m3u8")
        let path = try #require(test.library.path(of: item))
        let flags = try SampleMedia.entries("stream_disposition=default,forced", of: path)
        #expect(flags == ["1,0", "1,0", "0,0", "0,1"])
        #expect(try SampleMedia.frames(of: path) == 60)
        await test.library.stop()
    }

    @Test func subtitlesAreNoItemsAndGoWithTheirFilm() async throws {
        let test = try await makeTest()
        let item = try await test.get("/s/master.m3u8")
        let report = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(report.orphans.isEmpty && report.imported.isEmpty)
        try await test.library.remove(item.id, withFile: false)
        let again = try await test.library.refresh(RefreshOptions(importFiles: true))
        #expect(again.imported.count == 1 && again.orphans.isEmpty)
        let imported = try #require(again.imported.first?.id)
        let names = test.mediaNames
        #expect(names == ["s.de.forced.vtt", "s.en.vtt", "s.mp4"])
        try await test.library.remove(imported, withFile: true)
        #expect(test.mediaNames.isEmpty)
        await test.library.stop()
    }

    @Test func o3_anInterruptedStreamKeepsItsSubtitles() async throws {
        let first = try await makeTest()
        try await first.origin.serve(["/s/part4.ts": ["status": 404, "text": "no"]])
        let failed = try await first.get("/s/master.m3u8")
        #expect(failed.failure?.message.hasPrefix("1 of 6 segments are missing (5)") == true)
        await first.library.stop()
        try await first.origin.serve([
            "/s/part4.ts": ["file": .text(first.folder.path + "/s/part4.ts")]
        ])
        let second = try TestLibrary(in: first.folder, origin: first.origin)
        let item = try await second.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try texts(second, item) == ["mov_text,eng", "mov_text,deu"])
        #expect(try await second.requests()["/s/en0.vtt"] == 1)
        await second.library.stop()
    }
}
