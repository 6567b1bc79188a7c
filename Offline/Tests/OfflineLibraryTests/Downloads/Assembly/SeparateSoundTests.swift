// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsTestFixtures

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of streams with sound beside the pictures.
@Suite(.timeLimit(.minutes(15)))
struct SeparateSoundTests {
    private func makeTest(_ options: [String] = []) async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeMaster(in: test.folder.path + "/s", options)
        try await test.origin.serve(["/s/": ["directory": .text(test.folder.path + "/s")]])
        return test
    }

    /// Expects all pictures and three languages, which start half a second after the pictures.
    private func expectAllTracks(_ item: MediaItem, _ test: TestLibrary) throws {
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let path = try #require(test.library.path(of: item))
        #expect(try SampleMedia.frames(of: path) == 60)
        let languages = try SampleMedia.entries("stream=codec_type:stream_tags=language", of: path)
        #expect(languages == ["video,und", "audio,eng", "audio,deu", "audio,fra"])
        let isDefault = try SampleMedia.entries("stream_disposition=default", of: path)
        #expect(isDefault == ["1", "1", "0", "0"])
        let starts = try SampleMedia.entries("stream=start_time", of: path).compactMap(Double.init)
        for sound in starts.dropFirst() {
            #expect(abs(sound - starts[0] - 0.5) < 0.05, "\(starts)")
        }
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
    }

    @Test(arguments: [[], ["-hls_segment_type", "fmp4"]])
    func o20_everyLanguageIsKeptInTime(options: [String]) async throws {
        let test = try await makeTest(options)
        let item = try await test.get("/s/master.m3u8")
        try expectAllTracks(item, test)
        #expect(item.note == nil)
        await test.library.stop()
    }

    @Test func o3_anInterruptedStreamKeepsItsTracks() async throws {
        let first = try await makeTest()
        try await first.origin.serve(["/s/part2-3.x": ["status": 404, "text": "no"]])
        let failed = try await first.get("/s/master.m3u8")
        #expect(failed.failure?.code == "missingSegments")
        await first.library.stop()
        try await first.origin.serve([
            "/s/part2-3.x": ["file": .text(first.folder.path + "/s/part2-3.x")]
        ])
        let second = try TestLibrary(in: first.folder, origin: first.origin)
        try expectAllTracks(try await second.get("/s/master.m3u8"), second)
        let requests = try await second.requests()
        #expect(requests["/s/part2-3.x"] == 2 && requests["/s/part2-2.x"] == 1)
        await second.library.stop()
    }

    @Test func packedSoundPlaysAtTheTimeOfItsTag() async throws {
        let test = try await makeTest()
        let folder = test.folder.path + "/s"
        let parts = (0..<6).map { "\(folder)/part1-\($0).x" }.filter(SystemFile.exists)
        try SampleMedia.copySound(of: parts, to: folder + "/sound.aac")
        let pictures = try SampleMedia.entries("stream=start_time", of: folder + "/part0-0.x")
        let start = try #require(pictures.compactMap(Double.init).first) + 0.5
        let ticks = UInt64(start * 90_000)
        let owner = Array("com.apple.streaming.transportStreamTimestamp\0".utf8)
        let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count + 8), 0, 0] + owner
        let body = frame + (0..<8).reversed().map { UInt8(ticks >> ($0 * 8) & 0xff) }
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(body.count)] + body
        let sound = try Data(contentsOf: URL(filePath: folder + "/sound.aac"))
        try (Data(tag) + sound).write(to: URL(filePath: folder + "/sound.aac"))
        try await test.origin.serve([
            "/s/list1.m3u8": [
                "text":
                    "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:5.5,\nsound.aac\n#EXT-X-ENDLIST\n"
            ]
        ])
        try expectAllTracks(try await test.get("/s/master.m3u8"), test)
        await test.library.stop()
    }

    @Test func anOptionalLanguageThatIsGoneIsNamed() async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/list2.m3u8": ["status": 404, "text": "no"]])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let path = try #require(test.library.path(of: item))
        let languages = try SampleMedia.entries("stream=codec_type:stream_tags=language", of: path)
        #expect(languages == ["video,und", "audio,eng", "audio,fra"])
        #expect(
            item.note?.hasPrefix("Sound was left out: audio_2. The server answered 404") == true
        )
        await test.library.stop()
    }

    /// Serves a playlist of a track that ends after some of the six segments.
    private func cut(
        _ track: Int,
        after count: Int,
        stating duration: String? = nil,
        in test: TestLibrary
    ) async throws {
        let name = "list\(track).m3u8"
        let text = try String(contentsOfFile: "\(test.folder.path)/s/\(name)", encoding: .utf8)
        let pieces = text.split(separator: "#EXTINF", omittingEmptySubsequences: false)
        var kept = pieces.prefix(count + 1).joined(separator: "#EXTINF") + "#EXT-X-ENDLIST\n"
        if let duration { kept.replace(/#EXTINF:[0-9.]+/, with: "#EXTINF:\(duration)") }
        try await test.origin.serve(["/s/\(name)": ["text": .text(kept)]])
    }

    @Test(arguments: [(0, "pictures"), (1, "sound")])
    func o20_aTrackWhosePlaylistEndsEarlyIsNamed(track: Int, name: String) async throws {
        let test = try await makeTest()
        try await cut(track, after: 3, in: test)
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let note = item.note ?? ""
        #expect(note.hasPrefix("The server's stream has \(name) for 0:0"), "\(note)")
        #expect(abs((item.duration ?? 0) - 6) < 0.2)
        await test.library.stop()
    }

    @Test(arguments: [(0, "pictures"), (1, "sound")])
    func o6_aTrackWithLessThanItsPlaylistStatesFails(track: Int, name: String) async throws {
        let test = try await makeTest()
        try await cut(track, after: 3, stating: "2", in: test)
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .failed)
        let message = item.failure?.message ?? ""
        #expect(message.contains("The server's stream has \(name) for 0:0"), "\(message)")
        await test.library.stop()
    }

    @Test func o20_aLanguageThatEndsEarlyIsNamed() async throws {
        let test = try await makeTest()
        try await cut(2, after: 2, in: test)
        let item = try await test.get("/s/master.m3u8")
        try expectAllTracks(item, test)
        #expect(item.note == "The server's stream has sound in German for 0:02 of 0:06.")
        await test.library.stop()
    }

    @Test func theSoundThatTheStreamNeedsMustBeThere() async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/list1.m3u8": ["status": 404, "text": "no"]])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.failure?.code == "status")
        await test.library.stop()
    }

    @Test func tracksWithOtherBreaksFailByName() async throws {
        let test = try await makeTest()
        let path = test.folder.path + "/s/list2.m3u8"
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing("part2-3.x", with: "part2-3.x\n#EXT-X-DISCONTINUITY")
        try await test.origin.serve(["/s/list2.m3u8": ["text": .text(text)]])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.failure?.code == "refused")
        #expect(item.failure?.message.hasPrefix("The pictures and the sound of the stream") == true)
        await test.library.stop()
    }
}
