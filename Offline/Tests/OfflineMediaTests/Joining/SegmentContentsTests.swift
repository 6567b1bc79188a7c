// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import TidingsCoreFixtures

@testable import OfflineMedia
@testable import OfflineModel

/// Tests of the container readers with streams that ffmpeg writes.
@Suite(.timeLimit(.minutes(15)))
struct SegmentContentsTests {
    private let folder: MediaFolder

    init() throws {
        folder = try MediaFolder()
    }

    private func duration(_ contents: SegmentContents, _ kind: MediaTrack.Kind) -> Double {
        contents.tracks.values.first { $0.kind == kind }?.duration ?? -1
    }

    @Test(arguments: [[], ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]])
    func everySegmentTellsItsUnitsAndItsDuration(options: [String]) async throws {
        let segments = try await folder.makeStream("a", options: options)
        let all = try await Muxer().mux(
            segments: segments,
            kind: options.isEmpty ? .mpegTS : .fragmentedMP4,
            into: folder.file("out.mp4")
        )
        let contents = all.suffix(4)
        #expect(all.count == segments.count)
        #expect(contents.map { $0.units(.video) } == [25, 25, 25, 25])
        for segment in contents {
            #expect(abs(duration(segment, .video) - 1) < 0.01)
            #expect(abs(duration(segment, .audio) - 1) < 0.4)
        }
    }

    @Test func timesContinueWhereTheyWrap() throws {
        var reader = TransportStreamReader()
        reader.beginSegment()
        for time in [(1 << 33) - 9_000, (1 << 33) - 6_000, 3_000, 0] {
            let packet = pictureStart(at: Int64(time))
            packet.withUnsafeBytes { reader.process($0, stream: 256) }
        }
        let track = try #require(reader.segments.first?.tracks[256])
        #expect(track.units == 4)
        #expect(abs((track.duration ?? 0) - 12_000.0 / 90_000 * 4 / 3) < 0.001)
    }

    /// Returns a packet with the start of a picture that has a presentation time.
    private func pictureStart(at time: Int64) -> [UInt8] {
        var bytes: [UInt8] = [0x47, 0x41, 0x00, 0x10, 0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5]
        bytes.append(UInt8(0x21 | (time >> 30 & 7) << 1))
        bytes += [UInt8(time >> 22 & 0xff), UInt8(time >> 14 & 0xfe | 1)]
        bytes += [UInt8(time >> 7 & 0xff), UInt8(time << 1 & 0xfe | 1)]
        return bytes + [UInt8](repeating: 0xff, count: 188 - bytes.count)
    }

    @Test func damagedHeadersTellNothing() async throws {
        let options = ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
        let segments = try await folder.makeStream("a", seconds: 1, options: options)
        let names = segments.compactMap { $0.split(separator: "/").last.map(String.init) }
        var generator = SeededGenerator(61)
        for _ in 0..<300 {
            var reader = FragmentReader()
            for name in names {
                var bytes = try folder.bytes(name)
                for _ in 0..<8 {
                    let place = Int.random(in: 0..<min(bytes.count, 900), using: &generator)
                    bytes[place] = .random(in: 0...255, using: &generator)
                }
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                _ = reader.read(try folder.write(bytes, to: "damaged"))
            }
        }
        var reader = FragmentReader()
        #expect(reader.read(folder.file("gone")) == SegmentContents())
    }
}
