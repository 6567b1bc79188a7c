// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsCoreFixtures

@testable import OfflineMedia

/// Tests of MP4 fragments of two encodings under the initialization section of the first.
@Suite(.timeLimit(.minutes(15)))
struct EncodingCheckTests {
    /// The encoding of a stream.
    struct Encoding: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var size = "160x90"
        var options: [String] = []

        init(_ name: String, size: String = "160x90", _ options: [String] = []) {
            (testDescription, self.size, self.options) = (name, size, options)
        }
    }

    private let folder: MediaFolder

    init() throws {
        folder = try MediaFolder()
    }

    /// Encodes a stream of six segments in a separate folder and returns the header, then the
    /// segments.
    private func make(_ name: String, _ encoding: Encoding) async throws -> [String] {
        let paths = try await folder.makeStream(
            name,
            seconds: 6,
            options: ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
                + encoding.options,
            picture: "testsrc2=size=\(encoding.size):rate=25"
        )
        try FileManager.default.moveItem(
            atPath: folder.file("init.mp4"),
            toPath: folder.file("\(name).mp4")
        )
        return [folder.file("\(name).mp4")] + paths.dropFirst()
    }

    private func unreadable(_ paths: [String]) async throws -> [Int] {
        let segments = Array(paths.dropFirst())
        return try await EncodingCheck(
            header: paths[0],
            first: segments[0],
            segments: segments,
            samples: Array(segments.indices)
        ).run()
    }

    private static let own = Encoding("the same")

    @Test(arguments: [
        Encoding("larger", size: "320x180"),
        Encoding("larger and with all tools", size: "640x360", ["-preset", "medium"]),
        Encoding("smaller", size: "128x72"),
        Encoding("another entropy coder", ["-preset", "medium"]),
        Encoding("another shape", size: "96x160"),
    ])
    func o6_segmentsOfAnotherEncodingAreFound(other: Encoding) async throws {
        var paths = try await make("own", Self.own)
        let others = try await make("other", other)
        paths.replaceSubrange(3...4, with: others[3...4])
        #expect(try await unreadable(paths) == [2, 3])
    }

    @Test(arguments: [
        own,
        Encoding("another quality", ["-crf", "40"]),
        Encoding("B frames", ["-preset", "medium"]),
        Encoding("open groups", ["-preset", "medium", "-x264-params", "open-gop=1"]),
        Encoding("intra refresh", ["-x264-params", "intra-refresh=1"]),
        Encoding("without key frames", ["-g", "250", "-hls_flags", "split_by_time"]),
        Encoding("settings in the segments", ["-tag:v", "avc3"]),
        Encoding("settings in both", ["-x264-params", "repeat-headers=1"]),
        Encoding("slices", ["-slices", "4"]),
        Encoding("fields", size: "160x96", ["-preset", "medium", "-flags", "+ildct+ilme"]),
        Encoding("H.265", ["-c:v", "libx265", "-x265-params", "log-level=none"]),
    ])
    func o6_segmentsOfOneEncodingAreReadable(encoding: Encoding) async throws {
        #expect(try await unreadable(make("own", encoding)) == [])
    }

    @Test func o6_segmentsWithSettingsOfTheirOwnMayChangeThem() async throws {
        let settings = ["-tag:v", "avc1", "-x264-params", "repeat-headers=1"]
        var paths = try await make("own", Encoding("own", settings))
        let others = try await make("other", Encoding("larger", size: "320x180", settings))
        paths.replaceSubrange(3...4, with: others[3...4])
        #expect(try await unreadable(paths) == [])
    }

    @Test func segmentsBetweenTheSamplesAreSearched() async throws {
        var paths = try await make("own", Self.own)
        let others = try await make("other", Encoding("larger", size: "320x180"))
        paths.replaceSubrange(5...6, with: others[5...6])
        let segments = Array(paths.dropFirst())
        let check = EncodingCheck(
            header: paths[0],
            first: segments[0],
            segments: segments,
            samples: [0, 5]
        )
        #expect(try await check.run() == [4, 5])
    }

    @Test func aStreamWhoseFirstSegmentCannotBeDecodedEitherIsNoMeasure() async throws {
        let paths = try await make("own", Self.own)
        let others = try await make("other", Encoding("larger", size: "320x180"))
        #expect(try await unreadable([others[0]] + paths.dropFirst()) == [])
    }

    @Test func hostileFragmentsShowNothing() async throws {
        let paths = try await make("own", Self.own)
        let reader = KeyPictureReader(header: try #require(PictureHeader(path: paths[0])))
        let whole = try folder.bytes(String(paths[1].split(separator: "/").last ?? ""))
        #expect(reader.slices(paths[1])?.count == 1)
        for length in stride(from: 0, to: min(whole.count, 900), by: 7) {
            let cut = try folder.write(Array(whole.prefix(length)), to: "cut.m4s")
            #expect(reader.slices(cut) == nil)
        }
        var random = SeededGenerator(123)
        for position in 0..<min(whole.count, 600) {
            var bytes = whole
            bytes[position] = .random(in: 0...255, using: &random)
            bytes[(position + 1) % bytes.count] = 0xFF
            _ = reader.slices(try folder.write(bytes, to: "changed.m4s"))
        }
    }
}
