// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of streams whose segments all arrive, some with less content than the playlist states.
@Suite(.timeLimit(.minutes(15)))
struct MissingContentTests {
    private let test: TestLibrary
    private var folder: String { test.folder.path + "/s" }

    init() throws {
        test = try TestLibrary()
    }

    /// Downloads a stream in the folder of the server.
    private func get(_ text: String? = nil) async throws -> MediaItem {
        try await test.origin.serve(["/s/": ["directory": .text(folder)]])
        if let text { try await test.origin.serve(["/s/stream.m3u8": ["text": .text(text)]]) }
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        await test.library.stop()
        return item
    }

    /// Removes the packets of a transport stream's track from some segments.
    private func removePackets(of track: Int, from segments: ClosedRange<Int>) throws {
        for number in segments {
            let address = URL(filePath: "\(folder)/part\(number).ts")
            let bytes = [UInt8](try Data(contentsOf: address))
            let kept = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
                .filter { packet in
                    let start = packet.startIndex
                    return Int(packet[start + 1] & 0x1f) << 8 | Int(packet[start + 2]) != track
                }
            try Data(kept.joined()).write(to: address)
        }
    }

    @Test func o6_aQuarterOfEachSegmentIsMissed() async throws {
        try SampleMedia.makeStream(
            in: folder,
            [
                "-vf", "fps=20,select='lt(mod(t,1),0.74)'", "-fps_mode", "passthrough",
                "-g", "100", "-force_key_frames", "expr:gte(t,n_forced)",
            ]
        )
        let item = try await get()
        #expect(item.note == "The server's stream has pictures for 0:04 of 0:06.")
    }

    @Test(arguments: ["", "#EXT-X-DISCONTINUITY\n"])
    func o6_picturesOfAnotherEncodingAreNoted(mark: String) async throws {
        let options = [
            "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4",
            "-hls_segment_filename", "part%d.m4s",
        ]
        try SampleMedia.makeStream(in: folder, options)
        try SampleMedia.makeStream(in: folder + "/other", options + ["-s", "320x180"])
        var text = try String(contentsOfFile: folder + "/stream.m3u8", encoding: .utf8)
        text.replace(/#EXTINF:[0-9.]+,\npart[3-5]/) { match in
            (match.output.hasSuffix("3") ? mark : "")
                + match.output.replacing("part", with: "other/part")
        }
        let item = try await get(text)
        #expect(
            item.note == "Players cannot show the pictures of the server's stream at 0:03–0:06."
        )
    }

    @Test func o6_soundThatEndsWithinAStreamIsNoted() async throws {
        try SampleMedia.makeStream(in: folder, [])
        try removePackets(of: 0x101, from: 3...5)
        let item = try await get()
        #expect(item.note == "Sound is missing in the server's stream at 0:03–0:06.")
    }

    @Test(arguments: ["aac", "mp3"])
    func o6_packedSoundIsCountedBySegment(ending: String) async throws {
        try SampleMedia.makeStream(
            in: folder,
            ["-vn"] + (ending == "mp3" ? ["-c:a", "libmp3lame"] : [])
        )
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        for number in 0..<6 {
            let name = "part\(number).\(ending)"
            try SampleMedia.copySound(
                of: ["\(folder)/part\(number).ts"],
                to: "\(folder)/\(name)"
            )
            if (2...3).contains(number) {
                let address = URL(filePath: "\(folder)/\(name)")
                let bytes = try Data(contentsOf: address)
                try bytes.prefix(bytes.count / 10).write(to: address)
            }
            text += "#EXTINF:1,\n\(name)\n"
        }
        let item = try await get(text + "#EXT-X-ENDLIST\n")
        #expect(item.note == "Sound is missing in the server's stream at 0:02–0:04.")
    }

    @Test func o6_aSegmentInPlaceOfAnotherIsNoted() async throws {
        try SampleMedia.makeStream(in: folder, [])
        let text = try String(contentsOfFile: folder + "/stream.m3u8", encoding: .utf8)
        let item = try await get(text.replacing("part1.ts", with: "part4.ts?again"))
        #expect(
            item.note == "Pictures and sound are missing in the server's stream at 0:01–0:02."
        )
    }

    /// Whole streams of many kinds have no note.
    @Test(
        arguments: [
            [], ["-hls_segment_type", "fmp4", "-hls_segment_filename", "part%d.m4s"],
            ["-bf", "3", "-preset", "medium"], ["-r", "3", "-g", "3"], ["-b:a", "24k"],
            ["-vn"], ["-vn", "-c:a", "libmp3lame"], ["-vn", "-c:a", "ac3"], ["-an"],
            ["-t", "5.3"], ["-r", "29.97", "-g", "29"], ["-c:a", "mp2", "-ar", "48000"],
            ["-hls_time", "2.7"], ["-hls_flags", "round_durations"], ["-ss", "0.4"],
            ["-x264-params", "open-gop=1", "-bf", "2", "-preset", "medium"],
        ]
    )
    func wholeStreamsHaveNoNote(options: [String]) async throws {
        try SampleMedia.makeStream(in: folder, options)
        #expect(try await get().note == nil)
    }
}
