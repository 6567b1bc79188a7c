// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsHTTP
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct StreamDownloadTests {
    /// Returns a library whose origin server has a stream of six segments under `/s/`.
    private func makeTest(_ options: [String] = []) async throws -> TestLibrary {
        let test = try TestLibrary()
        try SampleMedia.makeStream(in: test.folder.path + "/s", options)
        try await test.origin.serve(["/s/": ["directory": .text(test.folder.path + "/s")]])
        return test
    }

    @Test func o21_aStreamBecomesOneFileWithItsTitle() async throws {
        let test = try await makeTest()
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready)
        #expect(item.kind == .stream)
        #expect(item.fileName == "s.mp4")
        #expect(item.hasPicture)
        let path = try #require(test.library.path(of: item))
        #expect(try SampleMedia.frames(of: path) == 60)
        #expect(try SampleMedia.entries("format_tags=title", of: path) == ["s"])
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
        #expect(try test.library.journal.downloads.parts(of: item.id).isEmpty)
        await test.library.stop()
    }

    @Test func fragmentedMP4BecomesOneFile() async throws {
        let test = try await makeTest([
            "-hls_segment_type", "fmp4", "-hls_segment_filename", "part%d.m4s",
        ])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 60)
        await test.library.stop()
    }

    @Test func oneFileInByteRangesBecomesOneFile() async throws {
        let test = try await makeTest(["-hls_flags", "single_file"])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 60)
        await test.library.stop()
    }

    @Test func theDownloadStopsAtTheEndOfTheRangeWithoutServerSupport() async throws {
        let test = try await makeTest(["-hls_flags", "single_file"])
        let folder = test.folder.path + "/s"
        let lines = try String(contentsOfFile: folder + "/stream.m3u8", encoding: .utf8)
            .split(separator: "\n")
        let third = try #require(
            lines.indices.filter { lines[$0].hasSuffix(".ts") }.dropFirst(2).first
        )
        let playlist = lines[...third].joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
        let name = String(lines[third])
        let size = try #require(SystemFile.size(of: "\(folder)/\(name)"))
        try await test.origin.serve([
            "/s/three.m3u8": ["text": .text(playlist)],
            "/s/\(name)": [
                "file": .text("\(folder)/\(name)"), "ranges": "ignore", "gate": "rest",
                "gateAfter": .integer(Int(size) * 3 / 4),
            ],
        ])
        let item = try await test.get("/s/three.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 30)
        try await test.origin.openGate("rest")
        await test.library.stop()
    }

    @Test(arguments: [nil, "000102030405060708090a0b0c0d0e0f"])
    func encryptedStreamsAreDecrypted(iv: String?) async throws {
        let test = try TestLibrary()
        let folder = test.folder.path + "/s"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data((0..<16).map { UInt8($0 * 7) }).write(to: URL(fileURLWithPath: folder + "/key"))
        let info = "key\n\(folder)/key\n\(iv ?? "")"
        try info.write(toFile: folder + "/info", atomically: true, encoding: .utf8)
        try SampleMedia.makeStream(in: folder, ["-hls_key_info_file", "info"])
        try await test.origin.serve(["/s/": ["directory": .text(folder)]])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 60)
        #expect(try await test.requests()["/s/key"] == 1)
        await test.library.stop()
    }

    @Test func theChosenRenditionIsFetchedThroughARedirect() async throws {
        let test = try await makeTest()
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=1280x720
            missing.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=160x90
            stream.m3u8

            """
        try await test.origin.serve([
            "/start": ["redirect": "/s/master.m3u8"],
            "/s/master.m3u8": ["text": .text(master)],
        ])
        let item = try await test.get("/start", quality: .height(90))
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.height == 90)
        await test.library.stop()
    }

    @Test func o6_aMissingSegmentFailsTheItemAndIsListed() async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/part2.ts": ["status": 404, "text": "no"]])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.state == .failed)
        #expect(failed.failure?.code == "missingSegments")
        #expect(failed.failure?.message.hasPrefix("1 of 6 segments are missing (3)") == true)
        #expect(failed.failure?.message.contains("part2.ts") == true)
        #expect(test.library.path(of: failed) == nil)
        try await test.origin.serve([
            "/s/part2.ts": ["file": .text(test.folder.path + "/s/part2.ts")]
        ])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready)
        let requests = try await test.requests()
        #expect(requests["/s/part2.ts"] == 2)
        for other in [0, 1, 3, 4, 5] { #expect(requests["/s/part\(other).ts"] == 1) }
        await test.library.stop()
    }

    @Test func o6_aTruncatedSegmentIsFetchedAgain() async throws {
        let test = try await makeTest()
        let file: JSON = .text(test.folder.path + "/s/part1.ts")
        try await test.origin.serve([
            "/s/part1.ts": [["file": file, "cut": 5_000], ["file": file]]
        ])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready)
        #expect(try await test.requests()["/s/part1.ts"] == 2)
        await test.library.stop()
    }

    @Test func o6_aTruncationThatOnlyTheDemuxerDetectsIsFetchedAgainByRetry() async throws {
        let test = try await makeTest()
        let file: JSON = .text(test.folder.path + "/s/part1.ts")
        try await test.origin.serve([
            "/s/part1.ts": ["file": file, "framing": "close", "cut": 5_000]
        ])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.state == .failed)
        try await test.origin.serve(["/s/part1.ts": ["file": file]])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let requests = try await test.requests()
        #expect(requests["/s/part1.ts"] == 3)
        #expect(requests["/s/part0.ts"] == 1)
        await test.library.stop()
    }

    @Test(arguments: [188 * 16, 188 * 32])
    func o6_aSegmentWithoutLengthIsFetchedUntilTwoAreEqual(cut: Int) async throws {
        let test = try await makeTest()
        let file: JSON = .text(test.folder.path + "/s/part1.ts")
        let size = try #require(SystemFile.size(of: test.folder.path + "/s/part1.ts"))
        // The segment is cut between packets, where a demuxer may see no damage.
        try await test.origin.serve([
            "/s/part1.ts": [
                ["file": file, "framing": "close", "cut": .integer(Int(size) - cut)],
                ["file": file, "framing": "close"],
            ]
        ])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 60)
        #expect(try await test.requests()["/s/part1.ts"] == 3)
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
        await test.library.stop()
    }

    @Test func o6_aSegmentThatEndsAnywhereFails() async throws {
        let test = try await makeTest()
        let file: JSON = .text(test.folder.path + "/s/part1.ts")
        try await test.origin.serve([
            "/s/part1.ts": .list(
                (1...9).map { ["file": file, "framing": "close", "cut": .integer(($0 + 9) * 188)] }
            )
        ])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.failure?.code == "missingSegments")
        #expect(item.failure?.message.contains("another place each time") == true)
        await test.library.stop()
    }

    @Test func o6_aPlaylistThatTheConnectionCutIsFetchedAgain() async throws {
        let test = try await makeTest()
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=100000
            missing.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=900000
            stream.m3u8

            """
        let media: JSON = .text(test.folder.path + "/s/stream.m3u8")
        try await test.origin.serve([
            "/s/master.m3u8": [
                ["text": .text(master), "framing": "close", "cut": 60],
                ["text": .text(master), "framing": "close", "times": 2],
            ],
            "/s/stream.m3u8": [
                ["file": media, "framing": "close", "cut": 200],
                ["file": media, "framing": "close"],
            ],
        ])
        let item = try await test.get("/s/master.m3u8")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let requests = try await test.requests()
        #expect(requests["/s/master.m3u8"] == 3)
        #expect(requests["/s/stream.m3u8"] == 2)
        #expect(requests["/s/missing.m3u8"] == nil)
        await test.library.stop()
    }

    @Test func o17_stoppingDoesNotWaitForAKey() async throws {
        let test = try await makeTest()
        let playlist = """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-KEY:METHOD=AES-128,URI="key"
            #EXTINF:1,
            part0.ts
            #EXT-X-ENDLIST

            """
        try await test.origin.serve([
            "/s/locked.m3u8": ["text": .text(playlist)],
            "/s/key": ["text": "0123456789abcdef", "gate": "key"],
        ])
        _ = try await test.library.enqueue(try test.request("/s/locked.m3u8"))
        await test.start()
        try await test.origin.waitForRequests(1, atGate: "key")
        let failures = MessageRecorder(DownloadFailed.self, on: test.library.messages)
        await test.library.stop()
        // A download that waited for the key would have failed before the end.
        #expect(failures.messages.isEmpty)
        try await test.origin.openGate("key")
    }

    @Test func o2_aFinishedSegmentIsNeverFetchedAgain() async throws {
        let first = try await makeTest()
        try await first.origin.serve(["/s/part4.ts": ["gate": "four"]])
        let id = try await first.library.enqueue(try first.request("/s/stream.m3u8")).item.id
        let progress = MessageRecorder(DownloadProgressed.self, on: first.library.messages)
        await first.start()
        // Segment 4 waits at the gate. Each of the five remaining segments is recorded shortly
        // after its arrival.
        // arrives.
        try await first.origin.waitForRequests(1, atGate: "four")
        while try await progress.next().progress.doneSegments != 5 {}
        await first.library.stop()
        let done = try first.library.journal.downloads.parts(of: id).filter { $0.size != nil }
        let (folder, origin) = (first.folder, first.origin)
        try await origin.openGate("four")
        try await expectOnlyMissingSegmentsFetched(after: done, id, folder, origin)
    }

    private func expectOnlyMissingSegmentsFetched(
        after done: [PartRecord],
        _ id: ItemID,
        _ folder: TemporaryFolder,
        _ origin: OriginServer
    ) async throws {
        let second = try TestLibrary(in: folder, origin: origin)
        let item = try await second.get("/s/stream.m3u8")
        #expect(item.id == id)
        #expect(item.state == .ready)
        #expect(done.count == 5)
        let requests = try await second.requests()
        for record in done { #expect(requests[record.part.address.path] == 1) }
        await second.library.stop()
    }

    @Test func aChangedStreamStartsOverWithANote() async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/part2.ts": ["status": 404, "text": "no"]])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.state == .failed)
        let playlist = try String(
            contentsOfFile: test.folder.path + "/s/stream.m3u8",
            encoding: .utf8
        )
        let other = playlist.replacing("part2.ts", with: "part3.ts")
        try await test.origin.serve(["/s/stream.m3u8": ["text": .text(other)]])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.note?.hasPrefix("Started over: the server's stream changed.") == true)
        #expect(try await test.requests()["/s/part0.ts"] == 2)
        await test.library.stop()
    }

    @Test func o5_aCutFileThatBecomesAStreamStartsOverWithANote() async throws {
        let test = try await makeTest()
        let media: JSON = .text(test.folder.path + "/s/stream.m3u8")
        try await test.origin.serve([
            "/s/talk": [["size": 300_000, "seed": 7, "cut": 100_000], ["file": media]],
            "/s/part2.ts": ["status": 404, "text": "no"],
        ])
        let failed = try await test.get("/s/talk")
        #expect(failed.kind == .stream && failed.failure?.code == "missingSegments")
        let note = "Started over: the address now returns a stream instead of a file."
        #expect(failed.note == note)
        let partial = test.library.directory.partialFile(of: failed.id)
        #expect(SystemFile.size(of: partial) == nil)
        try await test.origin.serve([
            "/s/part2.ts": ["file": .text(test.folder.path + "/s/part2.ts")]
        ])
        let item = try await test.get("/s/talk")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == note)
        await test.library.stop()
    }

    @Test func aRefusedStreamBecomesAFileWhenItsAddressReturnsOne() async throws {
        let test = try TestLibrary()
        let live = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart0.ts\n"
        try await test.origin.serve([
            "/talk": [["text": .text(live)], ["text": "the talk as a text\n"]]
        ])
        let refused = try await test.get("/talk")
        #expect(refused.kind == .stream && refused.failure?.code == "live")
        let item = try await test.get("/talk")
        #expect(item.id == refused.id)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.kind == .file)
        #expect(try await test.requests() == ["/talk": 2])
        await test.library.stop()
    }

    @Test(
        arguments: [
            ["size": 30_000_000, "seed": 1], ["text": "<!doctype html><title>Log in</title>"],
            ["text": #"{"error": "expired"}"#],
        ] as [JSON]
    )
    func aStreamWithPartsNeverBecomesAnotherKind(route: JSON) async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/part2.ts": ["status": 404, "text": "no"]])
        _ = try await test.get("/s/stream.m3u8")
        try await test.origin.serve(["/s/stream.m3u8": route])
        let failed = try await test.get("/s/stream.m3u8")
        #expect(failed.kind == .stream)
        #expect(failed.failure?.code == "changed")
        let message = failed.failure?.message
        #expect(message?.hasPrefix("This address no longer returns an HLS stream.") == true)
        let records = try test.library.journal.downloads.parts(of: failed.id)
        #expect(records.filter { $0.size != nil }.count == 5)
        await test.library.stop()
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart0.ts\n", "live"),
        ("#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n", ""),
        ("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n", ""),
    ])
    func anUnsupportedStreamIsRefusedBeforeAByteIsWritten(text: String, word: String) async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/stream.m3u8": ["text": .text(text)]])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .failed)
        #expect(item.failure?.code == (word == "live" ? "live" : "refused"))
        #expect(item.failure?.message.contains(word) == true || word.isEmpty)
        #expect(SystemFile.names(in: test.library.directory.parts(of: item.id)).isEmpty)
        await test.library.stop()
    }

    @Test(arguments: ["#EXTM3U\n#EXTINF:1,\nx.ts\n#EXT-X-ENDLIST\n", "<html><body>login</body>"])
    func aSegmentWithoutMediaFailsTheItem(text: String) async throws {
        let test = try await makeTest()
        try await test.origin.serve(["/s/part3.ts": ["text": .text(text)]])
        let item = try await test.get("/s/stream.m3u8")
        #expect(item.state == .failed)
        #expect(item.failure?.message.contains("part3.ts") == true)
        await test.library.stop()
    }

    @Test func anEndlessPlaylistIsRefused() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/endless.m3u8": [
                "raw": "HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n",
                "rawRepeat": ["#EXTINF:1,\nsegment.ts\n", 10_000_000],
            ]
        ])
        let item = try await test.get("/endless.m3u8")
        #expect(item.failure?.code == "refused")
        await test.library.stop()
    }
}
