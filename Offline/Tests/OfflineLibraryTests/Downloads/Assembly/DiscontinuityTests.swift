// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of streams whose format changes, such as at an inserted advertisement.
@Suite(.timeLimit(.minutes(15)))
struct DiscontinuityTests {
    private static let fragments = [
        "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4",
        "-hls_segment_filename", "part%d.m4s",
    ]

    /// Returns a library whose server has a stream under `/a/` and another under `/b/`.
    private func makeTest(
        _ first: [String] = [],
        then second: [String]
    ) async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeStream(in: test.folder.path + "/a", first)
        try SampleMedia.makeStream(in: test.folder.path + "/b", second)
        for name in ["a", "b"] {
            try await test.origin.serve([
                "/\(name)/": ["directory": .text("\(test.folder.path)/\(name)")]
            ])
        }
        return test
    }

    /// Downloads two seconds each of `/a/`, `/b/` and `/a/`, one after another.
    private func get(
        _ test: TestLibrary,
        _ ending: String = "ts",
        between: String = "#EXT-X-DISCONTINUITY\n"
    ) async throws -> MediaItem {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        for (index, (name, numbers)) in [("a", 0...1), ("b", 2...3), ("a", 4...5)].enumerated() {
            if index > 0 { text += between }
            if ending == "m4s" { text += "#EXT-X-MAP:URI=\"\(name)/init.mp4\"\n" }
            for number in numbers { text += "#EXTINF:1,\n\(name)/part\(number).\(ending)\n" }
        }
        try await test.origin.serve(["/all.m3u8": ["text": .text(text + "#EXT-X-ENDLIST\n")]])
        let item = try await test.get("/all.m3u8")
        await test.library.stop()
        return item
    }

    private func expectWhole(_ item: MediaItem, _ test: TestLibrary, frames: Int = 60) throws {
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let path = try #require(test.library.path(of: item))
        #expect(try SampleMedia.frames(of: path) == frames)
        #expect(abs((item.duration ?? 0) - 6) < 0.4, "\(item.duration ?? 0)")
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
    }

    @Test(arguments: [
        [], ["-hls_segment_options", "mpegts_start_pid=0x300"],
        ["-profile:v", "high", "-preset", "medium", "-bf", "3"],
    ])
    func o6_sectionsOfOneFormatAreJoined(options: [String]) async throws {
        let test = try await makeTest(then: options + ["-hls_segment_filename", "part%d.ts"])
        let item = try await get(test)
        try expectWhole(item, test)
        #expect(item.note == nil)
    }

    @Test func o6_anUnmarkedChangeOfTracksIsJoined() async throws {
        let test = try await makeTest(then: ["-hls_segment_options", "mpegts_start_pid=0x300"])
        try expectWhole(try await get(test, between: ""), test)
    }

    @Test func o6_severalInitializationSectionsAreJoined() async throws {
        let other = Self.fragments + ["-profile:v", "high", "-preset", "medium"]
        let test = try await makeTest(Self.fragments, then: other)
        try expectWhole(try await get(test, "m4s"), test)
    }

    @Test func aChangeOfSizeIsNoted() async throws {
        let test = try await makeTest(then: ["-vf", "scale=320:180"])
        let item = try await get(test)
        try expectWhole(item, test)
        #expect(item.note == "The size of the picture changes at 0:02.")
    }

    @Test(arguments: [
        (["-c:v", "libx265", "-x265-params", "log-level=none"], "HEVC"),
        (["-vn"], "to sound in AAC"),
        (["-ar", "22050"], "22050 Hz"),
    ])
    func o6_anotherFormatFailsByName(options: [String], name: String) async throws {
        let test = try await makeTest(then: options)
        let item = try await get(test)
        #expect(item.state == .failed)
        #expect(item.failure?.code == "refused")
        let message = item.failure?.message ?? ""
        #expect(message.contains("At 0:02") && message.contains(name), "\(message)")
    }

    @Test(arguments: [
        (["-c:v", "libx265", "-x265-params", "log-level=none"], "HEVC"),
        (["-ar", "22050"], "22050 Hz"),
    ])
    func o6_anUnmarkedChangeOfFormatFailsByName(options: [String], name: String) async throws {
        let test = try await makeTest(then: options)
        let item = try await get(test, between: "")
        #expect(item.state == .failed)
        let message = item.failure?.message ?? ""
        #expect(message.contains("At 0:02") && message.contains(name), "\(message)")
    }

    @Test func o6_aSectionWithoutSoundIsKept() async throws {
        let test = try await makeTest(then: ["-an"])
        try expectWhole(try await get(test), test)
    }

    @Test func o6_aSegmentWithoutPicturesIsNoted() async throws {
        let sound = ["-vn", "-hls_segment_options", "mpegts_start_pid=0x101"]
        let test = try await makeTest(then: sound)
        let text = (0...5).map { "#EXTINF:1,\n\($0 == 3 ? "b" : "a")/part\($0).ts\n" }.joined()
        try await test.origin.serve([
            "/all.m3u8": [
                "text": .text("#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(text)#EXT-X-ENDLIST\n")
            ]
        ])
        let item = try await test.get("/all.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == "Pictures are missing in the server's stream at 0:03–0:04.")
        await test.library.stop()
    }
}
