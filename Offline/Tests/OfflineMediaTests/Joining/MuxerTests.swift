// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsLock

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.serialized, .timeLimit(.minutes(15)))
struct MuxerTests {
    private let folder: MediaFolder
    private var output: String { folder.file("out.mp4") }

    init() throws {
        folder = try MediaFolder()
    }

    private func mux(
        _ segments: [String],
        _ kind: Muxer.SegmentContainer = .mpegTS,
        completeness: Muxer.Completeness = .unproven
    ) async throws {
        try await Muxer().mux(
            segments: segments,
            kind: kind,
            into: output,
            completeness: completeness
        )
    }

    @Test(arguments: [[], ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]])
    func segmentsBecomeOneFileWithEveryFrame(options: [String]) async throws {
        let segments = try await folder.makeStream("a", options: options)
        try await mux(segments, options.isEmpty ? .mpegTS : .fragmentedMP4)
        let properties = try await MediaProbe().probe(output)
        #expect(properties.video?.codec == "h264")
        #expect(properties.audio?.codec == "aac")
        #expect(abs((properties.duration ?? 0) - 4) < 0.2)
        let whole = try await folder.packets(output)
        #expect(whole["video"] == 100)
        #expect((whole["audio"] ?? 0) >= 172)
    }

    @Test func theIndexPrecedesTheMedia() async throws {
        try await mux(try await folder.makeStream("a", seconds: 2))
        let bytes = try folder.bytes("out.mp4")
        let index = try #require(bytes.firstRange(of: [UInt8]("moov".utf8)))
        let media = try #require(bytes.firstRange(of: [UInt8]("mdat".utf8)))
        #expect(index.lowerBound < media.lowerBound)
    }

    @Test func progressIncreasesToTheTotal() async throws {
        let segments = try await folder.makeStream("a", seconds: 2)
        let updates = Lock<[(Int64, Int64)]>([])
        try await Muxer().mux(segments: segments, kind: .mpegTS, into: output) { read, total in
            updates.withLock { $0.append((read, total)) }
        }
        let steps = updates.withLock { $0 }
        let total = try segments.reduce(0) {
            $0 + (try Data(contentsOf: URL(fileURLWithPath: $1)).count)
        }
        #expect(steps.map(\.0) == steps.map(\.0).sorted())
        #expect(steps.last?.0 == Int64(total))
        #expect(steps.allSatisfy { $0.1 == Int64(total) })
    }

    @Test func unmarkedRestartsAreAcceptedOnlyWithProvenCompleteness() async throws {
        let first = try await folder.makeStream("a", seconds: 2)
        let second = try await folder.makeStream("b", seconds: 2)
        #expect(await mediaError { try await mux(first + second) }?.code == .cannotRead)
        try await mux(first + second, completeness: .proven)
        #expect(try await folder.packets(output)["video"] == 100)
    }

    /// Returns segments with counters that restart in each segment.
    private func makeSeparateSegments() async throws -> [String] {
        let segments = try await folder.makeStream("a")
        for number in segments.indices {
            let arguments = ["-nostdin", "-loglevel", "error", "-copyts", "-i", segments[number]]
            let output = ["-c", "copy", "-mpegts_copyts", "1", "-f", "mpegts", "b\(number).ts"]
            try await folder.run("ffmpeg", arguments + output)
        }
        return segments.indices.map { folder.file("b\($0).ts") }
    }

    @Test func segmentsWhoseCountersAllRestartAreJoined() async throws {
        try await mux(try await makeSeparateSegments())
        #expect(try await folder.packets(output)["video"] == 100)
    }

    @Test func o6_lostPacketsOfSeparateSegmentsThrow() async throws {
        let segments = try await makeSeparateSegments()
        var bytes = try folder.bytes("b2.ts")
        bytes.removeSubrange(188 * 40..<188 * 43)
        _ = try folder.write(bytes, to: "b2.ts")
        let failure = await mediaError { try await mux(segments) }
        #expect(failure?.code == .cannotRead)
        #expect(failure?.message.contains("Segment 3 ") == true)
    }

    @Test(arguments: [("aac", Muxer.SegmentContainer.aac), ("mp3", .mp3)])
    func packedAudioWithTagsIsJoined(name: String, kind: Muxer.SegmentContainer) async throws {
        let codec = name == "aac" ? "aac" : "libmp3lame"
        let format = name == "aac" ? ["-f", "adts"] : ["-write_xing", "0", "-id3v2_version", "0"]
        let source = ["-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=440"]
        let arguments = source + ["-t", "3", "-c:a", codec] + format + ["all.\(name)"]
        try await folder.run("ffmpeg", arguments)
        let all = try folder.bytes("all.\(name)")
        let tag = [UInt8]("ID3".utf8) + [4, 0, 0, 0, 0, 0, 4] + [0xff, 0xfb, 0x90, 0x00]
        let middle = all.count / 2
        let cut = try #require(
            all[middle...].indices.first { all[$0] == 0xff && all[$0 + 1] & 0xf0 == 0xf0 }
        )
        let segments = [
            try folder.write(tag + all[..<cut], to: "1.\(name)"),
            try folder.write(tag + tag + all[cut...], to: "2.\(name)"),
        ]
        try await mux(segments, kind)
        let properties = try await MediaProbe().probe(output)
        #expect(properties.audio?.codec == name)
        #expect(properties.video == nil)
        #expect(abs((properties.duration ?? 0) - 3) < 0.2)
    }

    @Test func o6_aTruncatedSegmentThrowsAnErrorThatNamesIt() async throws {
        let segments = try await folder.makeStream("a")
        let bytes = try folder.bytes("a001.ts")
        for length in [bytes.count / 2, bytes.count / 2 / 188 * 188] {
            _ = try folder.write([UInt8](bytes.prefix(length)), to: "a001.ts")
            let failure = await mediaError { try await mux(segments) }
            #expect(failure?.code == .cannotRead)
            #expect(failure?.message.contains("egment") == true)
            #expect(!folder.has("out.mp4"))
        }
    }

    @Test func o6_lostPacketsThrow() async throws {
        let segments = try await folder.makeStream("a")
        var bytes = try folder.bytes("a002.ts")
        bytes.removeSubrange(188 * 40..<188 * 43)
        _ = try folder.write(bytes, to: "a002.ts")
        let failure = await mediaError { try await mux(segments) }
        #expect(failure?.code == .cannotRead)
        #expect(failure?.message.contains("Segment 3 ") == true)
    }

    @Test func o6_aTruncatedOrMissingMP4FragmentThrows() async throws {
        var segments = try await folder.makeStream(
            "a",
            options: ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
        )
        let bytes = try folder.bytes("a003.m4s")
        _ = try folder.write([UInt8](bytes.prefix(bytes.count / 2)), to: "a003.m4s")
        #expect(await mediaError { try await mux(segments, .fragmentedMP4) } != nil)
        segments.removeFirst()
        #expect(await mediaError { try await mux(segments, .fragmentedMP4) } != nil)
        #expect(!folder.has("out.mp4"))
    }

    @Test func aMissingFileIsNamedAndLeavesNoOutput() async throws {
        let segments = try await folder.makeStream("a", seconds: 2)
        let failure = await mediaError { try await mux(segments + [folder.file("gone.ts")]) }
        #expect(failure?.code == .cannotRead)
        #expect(failure?.message.contains("gone.ts") == true)
        #expect(!folder.has("out.mp4"))
    }

    @Test func aMissingProgramNamesItsPackage() async throws {
        let segments = try await folder.makeStream("a", seconds: 1)
        let failure = await mediaError {
            try await Muxer(searchPath: "/nowhere:relative").mux(
                segments: segments,
                kind: .mpegTS,
                into: output
            )
        }
        #expect(failure?.code == .toolMissing)
        #expect(failure?.message.contains("apt-get install ffmpeg") == true)
    }

    @Test func cancellationLeavesNoOutput() async throws {
        let segments = try await folder.makeStream("a", seconds: 1)
        // With this many segments, ffmpeg cannot finish before this task runs.
        let many = (0..<20_000).flatMap { _ in segments }
        let (started, signal) = AsyncStream<Void>.makeStream()
        let path = output
        let task = Task {
            _ = try await Muxer().mux(
                segments: many,
                kind: .mpegTS,
                into: path,
                completeness: .proven
            ) { _, _ in signal.yield() }
        }
        for await _ in started { break }
        task.cancel()
        #expect(await mediaError { try await task.value }?.code == .cancelled)
        #expect(!folder.has("out.mp4"))
    }
}
