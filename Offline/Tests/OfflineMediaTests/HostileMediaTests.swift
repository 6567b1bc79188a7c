// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineMedia
@testable import OfflineModel

/// Tests with content that tries to make the tools open other files of the disk.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HostileMediaTests {
    private let folder: MediaFolder
    private var output: String { folder.file("out.mp4") }

    init() throws {
        folder = try MediaFolder()
    }

    static let names = ["movie.mp4", "segment.ts", "list.m3u8", "song.mp3"]

    /// Returns hostile documents that name the file `victim`.
    static func texts(_ victim: String) -> [String] {
        let name = victim.split(separator: "/").last ?? ""
        let start = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n"
        return [
            start + "file:\(victim)\n#EXT-X-ENDLIST\n",
            start + "\(victim)\n#EXT-X-ENDLIST\n",
            start + "\(name)\n#EXT-X-ENDLIST\n",
            start + "../\(victim)\n#EXT-X-ENDLIST\n",
            start + "concat:\(victim)|\(victim)\n#EXT-X-ENDLIST\n",
            start + "subfile,,start,0,end,0,,:\(victim)\n#EXT-X-ENDLIST\n",
            start + "crypto+file:\(victim)\n#EXT-X-ENDLIST\n",
            start + "#EXT-X-KEY:METHOD=AES-128,URI=\"file:\(victim)\"\n\(name)\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"\(victim)\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nfile:\(victim)\n",
            "ffconcat version 1.0\nfile '\(name)'\n",
            "ffconcat version 1.0\nfile 'file:\(victim)'\n",
            manifest(victim),
            // The tools read the letters as the length of some content and do not find the content.
            manifest(
                "/\(String(repeating: "x", count: 22)).FRUGYu/\(String(repeating: "x", count: 60))"
            ),
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n",
            "RTSPtextRTSP://127.0.0.1/x\n",
            "-i \(victim)\n",
        ]
    }

    private static func manifest(_ path: String) -> String {
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\">"
            + "<Period><AdaptationSet><Representation id=\"1\"><BaseURL>\(path)</BaseURL>"
            + "</Representation></AdaptationSet></Period></MPD>"
    }

    /// Creates the file that the tools must not open, with any content.
    private func makeVictim() throws -> String {
        let packet = [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184)
        return try folder.write((0..<20).flatMap { _ in packet }, to: "victim.ts")
    }

    @Test func theMonitorDetectsAnOpening() async throws {
        let victim = try makeVictim()
        let monitor = try FileOpenMonitor(victim)
        #expect(!monitor.wasOpened())
        _ = try? await MediaProbe().probe(victim)
        #expect(monitor.wasOpened())
    }

    @Test(arguments: names)
    func o16_theProbeOpensNothingElse(name: String) async throws {
        let victim = try makeVictim()
        let monitor = try FileOpenMonitor(victim)
        for text in Self.texts(victim) {
            let path = try folder.write(text, to: name)
            let failure = await mediaError { _ = try await MediaProbe().probe(path) }
            #expect(failure?.code == .notMedia, "\(text): \(failure?.message ?? "no failure")")
            #expect(!monitor.wasOpened(), "\(text)")
        }
    }

    @Test func o16_theMuxerOfSubtitlesOpensNothingElse() async throws {
        let victim = try makeVictim()
        try SampleMedia.makeFile("film.mp4", in: folder.path)
        let monitor = try FileOpenMonitor(victim)
        for text in Self.texts(victim) {
            let path = try folder.write(text, to: "text.vtt")
            let input = SubtitleMuxer.Input(path: path, description: TrackDescription())
            // The muxer forces the format of the document, which becomes empty or senseless at
            // most.
            try? await SubtitleMuxer().add([input], to: folder.file("film.mp4"), into: output)
            #expect(!monitor.wasOpened(), "\(text)")
        }
    }

    @Test(arguments: names.prefix(2))
    func o16_theThumbnailerOpensNothingElse(name: String) async throws {
        let victim = try makeVictim()
        let monitor = try FileOpenMonitor(victim)
        for text in Self.texts(victim) {
            let path = try folder.write(text, to: name)
            let failure = await mediaError {
                try await Thumbnailer().makePicture(of: path, at: 0, into: folder.file("p.jpg"))
            }
            #expect(failure != nil, "\(text)")
            #expect(!monitor.wasOpened(), "\(text)")
        }
    }

    @Test(arguments: [Muxer.SegmentContainer.mpegTS, .fragmentedMP4, .aac, .mp3])
    func o16_theMuxerOpensNothingElse(kind: Muxer.SegmentContainer) async throws {
        let victim = try makeVictim()
        let monitor = try FileOpenMonitor(victim)
        for text in Self.texts(victim) {
            let path = try folder.write(text, to: "segment.ts")
            // With unproven completeness, the filter would reject the document before ffmpeg reads
            // it.
            let failure = await mediaError {
                try await Muxer().mux(
                    segments: [path],
                    kind: kind,
                    into: output,
                    completeness: .proven
                )
            }
            #expect(failure != nil, "\(text)")
            #expect(!folder.has("out.mp4"))
            #expect(!monitor.wasOpened(), "\(text)")
        }
    }

    @Test func aPlaylistAmongTheSegmentsIsReportedAsDamage() async throws {
        var segments = try await folder.makeStream("a", seconds: 3)
        let text = Self.texts(segments[0])[0]
        segments[1] = try folder.write(text, to: "a001.ts")
        let failure = await mediaError {
            try await Muxer().mux(segments: segments, kind: .mpegTS, into: output)
        }
        #expect(failure?.code == .cannotRead)
        #expect(failure?.message.contains("Segment 2 ") == true)
    }
}
