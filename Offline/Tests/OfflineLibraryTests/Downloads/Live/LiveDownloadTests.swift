// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests of recordings that the server ends without notice.
@Suite(.timeLimit(.minutes(15)))
struct LiveDownloadTests {
    private func makeTest(
        in folder: TemporaryFolder? = nil,
        _ origin: OriginServer? = nil
    ) throws -> TestLibrary {
        try TestLibrary(in: folder, origin: origin) { $0.clock = SkippingClock() }
    }

    /// Serves a stream of six segments, and the given playlists of the stream one after another.
    private func serve(_ playlists: [JSON], in test: TestLibrary) async throws {
        let folder = test.folder.path + "/s"
        if !FileManager.default.fileExists(atPath: folder) {
            try SampleMedia.makeStream(in: folder, [])
        }
        try await test.origin.serve(["/s/": ["directory": .text(folder)]])
        try await test.origin.serve(["/s/live.m3u8": .list(playlists)])
    }

    private func playlist(_ numbers: Range<Int>, target: Int = 1) -> JSON {
        let lines = numbers.map { "#EXTINF:1,\npart\($0).ts\n" }
        return [
            "text": .text(
                "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n"
                    + "#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n" + lines.joined()
            )
        ]
    }

    /// Records the stream and returns the item when it is ready or has failed.
    private func record(_ test: TestLibrary) async throws -> MediaItem {
        var request = try test.request("/s/live.m3u8")
        request.live = LiveRecording()
        return try await test.get(request)
    }

    @Test func o25_aStreamWhosePlaylistIsGoneIsKept() async throws {
        let test = try makeTest()
        try await serve([playlist(0..<3), playlist(0..<4), ["status": 404, "text": ""]], in: test)
        let item = try await record(test)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        let note = item.note ?? ""
        #expect(
            note.hasPrefix("The recording ended at 0:04: the playlist is no longer there."),
            "\(note)"
        )
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 40)
        #expect(try test.library.journal.downloads.recording(of: item.id).isEmpty)
        await test.library.stop()
    }

    @Test func o25_aPlaylistThatNeverChangesEnds() async throws {
        let test = try makeTest()
        try await serve([playlist(0..<2, target: 60)], in: test)
        let item = try await record(test)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == "The recording ended at 0:02: no new segments came.")
        await test.library.stop()
    }

    @Test func aStreamWithoutASegmentFailsAndIsRecordedByRetry() async throws {
        let test = try makeTest()
        let empty = playlist(0..<0)
        try await serve([empty, empty, ["status": 404, "text": "gone"]], in: test)
        let failed = try await record(test)
        #expect(failed.state == .failed && failed.failure?.code == "missingSegments")
        #expect(failed.live == LiveRecording())
        try await serve([playlist(0..<2), playlist(0..<2), ["status": 404, "text": ""]], in: test)
        let item = try await record(test)
        #expect(item.state == .ready, "\(item)")
        await test.library.stop()
    }

    @Test func aStreamOfLostSegmentsFailsWithTheirReason() async throws {
        let test = try makeTest()
        let lost = playlist(20..<23)
        try await serve([lost, lost, ["status": 410, "text": ""]], in: test)
        let item = try await record(test)
        #expect(item.state == .failed && item.failure?.code == "status")
        #expect(item.failure?.message.contains("404") == true)
        await test.library.stop()
    }

    /// Records three segments, pauses, and serves all segments at another address.
    private func pausedRecording(_ test: TestLibrary) async throws -> MediaItem {
        let wait: JSON = ["text": "", "gate": "later"]
        try await serve([playlist(0..<3), playlist(0..<3), wait], in: test)
        let done = test.library.messages.messages(of: DownloadProgressed.self).values
        var request = try test.request("/s/live.m3u8")
        request.live = LiveRecording()
        let id = try await test.library.enqueue(request).item.id
        await test.start()
        for await update in done where update.progress.doneSegments == 3 { break }
        let paused = try await test.library.pause(id)
        try await test.origin.openGate("later")
        try await test.origin.serve(["/t/": ["directory": .text(test.folder.path + "/s")]])
        return paused
    }

    @Test func o23_aRecordingGoesOnAtANewAddress() async throws {
        let test = try makeTest()
        let paused = try await pausedRecording(test)
        let rest = playlist(3..<6)
        try await test.origin.serve(["/t/live.m3u8": [rest, rest, ["status": 404, "text": ""]]])
        let ends = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        _ = try await test.library.retry(paused.id, at: test.origin.address("/t/live.m3u8"))
        let item = try await ends.next().item
        #expect(item.note?.contains("goes on from a new address") == true, "\(item.note ?? "")")
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 60)
        await test.library.stop()
    }

    @Test func o23_aFileAtANewAddressReplacesNoRecording() async throws {
        let test = try makeTest()
        let paused = try await pausedRecording(test)
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
        let film = JSON.text(test.folder.path + "/one.mp4")
        try await test.origin.serve(["/film.mp4": ["file": film]])
        let ends = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        _ = try await test.library.retry(paused.id, at: test.origin.address("/film.mp4"))
        let item = try await ends.next().item
        #expect(try SampleMedia.frames(of: try #require(test.library.path(of: item))) == 30)
        await test.library.stop()
    }

    @Test func o25_aRecordingWhoseStreamEndedMeanwhileIsKept() async throws {
        let first = try makeTest()
        let wait: JSON = ["text": "", "gate": "later"]
        try await serve([playlist(0..<3), playlist(0..<3), wait], in: first)
        let done = first.library.messages.messages(of: DownloadProgressed.self).values
        var request = try first.request("/s/live.m3u8")
        request.live = LiveRecording()
        let id = try await first.library.enqueue(request).item.id
        await first.start()
        for await update in done where update.progress.doneSegments == 3 { break }
        await first.library.stop()
        try await first.origin.openGate("later")
        try await first.origin.serve(["/s/live.m3u8": ["status": 404, "text": ""]])
        let second = try makeTest(in: first.folder, first.origin)
        #expect(try second.library.item(id).live?.isOver == false)
        let item = try await record(second)
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note?.contains("the playlist is no longer there") == true)
        #expect(try SampleMedia.frames(of: try #require(second.library.path(of: item))) == 30)
        await second.library.stop()
    }
}
