// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of streams whose playlists say that the server lacks segments (EXT-X-GAP).
@Suite(.timeLimit(.minutes(15)))
struct GapTests {
    private static let fragments = [
        "-hls_segment_type", "fmp4", "-hls_segment_filename", "part%d.m4s",
    ]

    /// Returns a library whose server lacks the third and the fourth of six segments.
    private func makeTest(_ options: [String]) async throws -> TestLibrary {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try SampleMedia.makeStream(in: folder, options)
        let path = folder + "/stream.m3u8"
        let ending = options.isEmpty ? "ts" : "m4s"
        var text = try String(contentsOfFile: path, encoding: .utf8)
        for number in [2, 3] {
            try SystemFile.remove("\(folder)/part\(number).\(ending)")
            text = text.replacing("part\(number).", with: "#EXT-X-GAP\npart\(number).")
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try await test.origin.serve(["/s/": ["directory": .text(folder)]])
        return test
    }

    @Test(arguments: [[], fragments])
    func o6_aGapIsNamedAndTheRestIsKept(options: [String]) async throws {
        let test = try await makeTest(options)
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(
            item.note == "A part of the stream is missing on the server at 0:02–0:04."
        )
        let path = try #require(test.library.path(of: item))
        #expect(try SampleMedia.frames(of: path) == 40)
        #expect(abs((item.duration ?? 0) - 6) < 0.4, "\(item.duration ?? 0)")
        #expect(try await test.requests().keys.contains { $0.hasPrefix("/s/part2.") } == false)
        await test.library.stop()
    }

    /// ffmpeg closes longer jumps in the timestamps unless an option prevents the change.
    @Test func theTimeOfALongGapIsKept() async throws {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        for (name, offset) in [("a", "0"), ("b", "30")] {
            try SampleMedia.makeFile("\(name).mp4", in: folder)
            try SampleMedia.convert(
                "\(name).mp4",
                to: "\(name).ts",
                ["-c", "copy", "-output_ts_offset", offset],
                in: folder
            )
        }
        let text = """
            #EXTM3U
            #EXTINF:6,
            a.ts
            #EXT-X-GAP
            #EXTINF:24,
            gap.ts
            #EXTINF:6,
            b.ts
            #EXT-X-ENDLIST

            """
        try await test.origin.serve([
            "/s/": ["directory": .text(folder)], "/s/gap.m3u8": ["text": .text(text)],
        ])
        let item = try await test.get("/s/gap.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == "A part of the stream is missing on the server at 0:06–0:30.")
        #expect(abs((item.duration ?? 0) - 36) < 0.4, "\(item.duration ?? 0)")
        await test.library.stop()
    }
}
