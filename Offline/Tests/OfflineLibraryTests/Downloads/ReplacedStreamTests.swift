// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsHTTP
import TidingsLock
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

/// Tests of streams whose address a user replaces while segments are on disk.
@Suite(.timeLimit(.minutes(15)))
struct ReplacedStreamTests {
    private static let startedOver = "Started over: the new address has another stream."
    private static let otherFrames = ["-vf", "negate", "-preset", "medium"]

    private let test: TestLibrary

    init() throws {
        test = try TestLibrary()
    }

    private func serve(
        _ folder: String,
        at path: String,
        _ route: [String: JSON],
        on origin: OriginServer? = nil
    ) async throws {
        let folder = "\(test.folder.path)/\(folder)"
        for file in SystemFile.names(in: folder) {
            let served = route.merging(["file": .text("\(folder)/\(file)")]) { $1 }
            try await (origin ?? test.origin).serve(["\(path)/\(file)": .object(served)])
        }
    }

    /// Returns an item whose stream lacks one segment.
    private func cutStream(
        _ options: [String] = [],
        missing: String = "part2.ts"
    ) async throws -> MediaItem {
        try SampleMedia.makeStream(in: test.folder.path + "/old", options)
        try await serve("old", at: "/old", ["etag": "\"v1\""])
        try await test.origin.serve(["/old/\(missing)": ["status": 404, "text": "no"]])
        let item = try await test.get("/old/stream.m3u8")
        #expect(item.failure?.code == "missingSegments", "\(item.failure?.message ?? "")")
        return item
    }

    /// Retries an item and returns the item when it is ready or has failed.
    private func retry(
        _ item: MediaItem,
        at path: String? = nil,
        on origin: OriginServer? = nil
    ) async throws -> MediaItem {
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        if let path {
            let address = try (origin ?? test.origin).address(path)
            _ = try await test.library.retry(item.id, at: address)
        } else {
            _ = try await test.library.retry(item.id)
        }
        for await change in changes where change.item.id == item.id {
            if change.item.state == .ready || change.item.state == .failed { return change.item }
        }
        throw CancellationError()
    }

    /// Expects the same file as in a library without earlier segments.
    private func expectWhole(_ ready: MediaItem, at path: String) async throws {
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        let fresh = try TestLibrary(origin: test.origin)
        // The title is a tag of the file.
        var request = try test.request(path)
        request.title = ready.title
        let whole = try await fresh.get(request)
        #expect(try test.bytes(of: ready) == fresh.bytes(of: whole))
        await fresh.library.stop()
    }

    @Test func o5_theNameOfAVersionOnAnotherServerProvesNothing() async throws {
        let item = try await cutStream()
        try SampleMedia.makeStream(in: test.folder.path + "/new", Self.otherFrames)
        let other = try OriginServer()
        try await serve("new", at: "/old", ["etag": "\"v1\""], on: other)
        let ready = try await retry(item, at: "/old/stream.m3u8", on: other)
        #expect(ready.note == Self.startedOver)
        try await serve("new", at: "/new", ["etag": "\"v1\""])
        try await expectWhole(ready, at: "/new/stream.m3u8")
        #expect(try await other.log().allSatisfy { $0.header("If-None-Match") == nil })
        await test.library.stop()
    }

    /// Makes two streams in one file each, with the same ranges and a different name in the bytes.
    private func makeSingleFiles() throws {
        for (folder, name) in [("old", "AAAA"), ("new", "BBBB")] {
            try SampleMedia.makeStream(
                in: "\(test.folder.path)/\(folder)",
                ["-hls_flags", "single_file", "-metadata", "service_name=\(name)"]
            )
        }
    }

    /// Returns an item whose stream in one file lacks some ranges.
    private func cutSingleFile() async throws -> MediaItem {
        try await serve("old", at: "/old", ["etag": "\"v1\""])
        let folder = test.folder.path + "/old"
        let name = try #require(SystemFile.names(in: folder).first { $0.hasSuffix(".ts") })
        try await test.origin.serve([
            "/old/\(name)": [
                ["file": .text("\(folder)/\(name)"), "etag": "\"v1\"", "times": 2],
                ["status": 404, "text": "no"],
            ]
        ])
        let item = try await test.get("/old/stream.m3u8")
        #expect(item.failure?.code == "missingSegments", "\(item.failure?.message ?? "")")
        return item
    }

    @Test func o5_rangesOfAnotherVersionWithTheSameNameStartOver() async throws {
        try makeSingleFiles()
        let item = try await cutSingleFile()
        try await serve("new", at: "/new", ["etag": "\"v1\""])
        let ready = try await retry(item, at: "/new/stream.m3u8")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.note == Self.startedOver)
        await test.library.stop()
    }

    @Test func o23_rangesOfTheSameVersionAreKept() async throws {
        try makeSingleFiles()
        let item = try await cutSingleFile()
        try await serve("old", at: "/cdn", ["etag": "\"v1\""])
        let ready = try await retry(item, at: "/cdn/stream.m3u8")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.note == nil)
        await test.library.stop()
    }

    @Test func o23_laterRunsCompareWithTheVersionsOfTheNewServer() async throws {
        let item = try await cutStream()
        try await serve("old", at: "/cdn", ["etag": "\"v2\""])
        try await test.origin.serve(["/cdn/part2.ts": ["status": 404, "text": "no"]])
        let failed = try await retry(item, at: "/cdn/stream.m3u8")
        #expect(failed.failure?.code == "missingSegments", "\(failed.failure?.message ?? "")")
        try await serve("old", at: "/cdn", ["etag": "\"v2\""])
        let ready = try await retry(failed)
        #expect(ready.state == .ready && ready.note == nil, "\(ready)")
        let asked = try await test.origin.log().filter { $0.status == 304 }
        #expect(Set(asked.map(\.path)).count == 5)
        await test.library.stop()
    }

    @Test func o23_aPageWhoseStreamFailsFirstKeepsTheSegments() async throws {
        let item = try await cutStream()
        try await serve("old", at: "/cdn", ["etag": "\"v2\""])
        let playlist: JSON = ["file": .text(test.folder.path + "/old/stream.m3u8")]
        try await test.origin.serve([
            "/watch": [
                "text": "<title>Reef</title><video src=/cdn/stream.m3u8></video>",
                "type": "text/html",
            ],
            "/cdn/stream.m3u8": .list([["status": 503, "text": "no", "times": 3], playlist]),
        ])
        let failed = try await retry(item, at: "/watch")
        #expect(failed.failure?.code == "status", "\(failed.failure?.message ?? "")")
        let ready = try await retry(failed)
        #expect(ready.state == .ready && ready.note == nil, "\(ready)")
        await test.library.stop()
    }

    @Test func o23_aFileReplacesAStream() async throws {
        let item = try await cutStream()
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
        let film = test.folder.path + "/one.mp4"
        try await test.origin.serve(["/film.mp4": ["file": .text(film)]])
        let ready = try await retry(item, at: "/film.mp4")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.kind == .file)
        #expect(ready.note == "Started over: the new address has a file instead of a stream.")
        #expect(try test.bytes(of: ready) == Data(contentsOf: URL(filePath: film)))
        await test.library.stop()
    }

    @Test func o23_anInterruptedFileInPlaceOfAStreamContinues() async throws {
        let item = try await cutStream()
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
        let film = JSON.text(test.folder.path + "/one.mp4")
        try await test.origin.serve([
            "/film.mp4": [
                ["file": film, "cut": 4_000, "etag": "\"v1\""],
                ["status": 403, "text": "no"], ["file": film, "etag": "\"v1\""],
            ]
        ])
        let failed = try await retry(item, at: "/film.mp4")
        #expect(failed.failure?.code == "status", "\(failed.failure?.message ?? "")")
        #expect(try test.library.journal.downloads.parts(of: item.id).isEmpty)
        #expect(!SystemFile.exists(test.library.directory.parts(of: item.id)))
        let ready = try await retry(failed)
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(try await test.origin.log().last?.range == "bytes=4000-")
        await test.library.stop()
    }

    @Test func o23_anotherKindOfStreamStartsOver() async throws {
        let folder = test.folder.path + "/dash"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try SampleMedia.makeFile("one.mp4", in: folder)
        try SampleMedia.convert(
            "one.mp4",
            to: "stream.mpd",
            ["-c", "copy", "-f", "dash", "-seg_duration", "1"],
            in: folder
        )
        try await serve("dash", at: "/dash", [:])
        try await test.origin.serve([
            "/dash/chunk-stream0-00002.m4s": ["status": 404, "text": "no"]
        ])
        let item = try await test.get("/dash/stream.mpd")
        #expect(item.failure?.code == "missingSegments", "\(item.failure?.message ?? "")")
        try SampleMedia.makeStream(in: test.folder.path + "/old", [])
        try await serve("old", at: "/hls", [:])
        let ready = try await retry(item, at: "/hls/stream.m3u8")
        #expect(ready.note == Self.startedOver)
        #expect(ready.kind == .stream)
        try await expectWhole(ready, at: "/hls/stream.m3u8")
        await test.library.stop()
    }

    @Test func o23_whatIsNoMediumKeepsTheSegments() async throws {
        let item = try await cutStream()
        try await test.origin.serve([
            "/login": ["text": "<title>Log in</title><p>Please.</p>", "type": "text/html"]
        ])
        let failed = try await retry(item, at: "/login")
        #expect(failed.state == .failed, "\(failed)")
        try await serve("old", at: "/right", ["etag": "\"v1\""])
        let ready = try await retry(failed, at: "/right/stream.m3u8")
        #expect(ready.state == .ready && ready.note == nil, "\(ready.failure?.message ?? "")")
        await test.library.stop()
    }

    @Test func o20_aStartOverKeepsNeitherChaptersNorCover() async throws {
        let item = try await cutStream()
        let journal = test.library.journal
        try journal.files.setChapters([Chapter(start: 0, title: "Former")], of: item.id)
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
        try SampleMedia.convert(
            "one.mp4",
            to: test.library.directory.cover(of: item.id),
            ["-frames:v", "1"],
            in: test.folder.path
        )
        try SampleMedia.makeStream(in: test.folder.path + "/new", Self.otherFrames)
        try await serve("new", at: "/new", ["etag": "\"v2\""])
        let ready = try await retry(item, at: "/new/stream.m3u8")
        #expect(ready.note == Self.startedOver)
        #expect(try journal.files.chapters(of: item.id).isEmpty)
        let path = try #require(test.library.path(of: ready))
        #expect(
            try SampleMedia.entries("stream=codec_type", of: path).sorted() == ["audio", "video"]
        )
        await test.library.stop()
    }
}

/// Tests of streams with all segments on disk.
@Suite(.timeLimit(.minutes(15)))
struct ReplacedWholeStreamTests {
    @Test func o23_withAllPartsOnDiskTheNewAddressIsAsked() async throws {
        let free = Lock<Int64>(1 << 40)
        let test = try TestLibrary { $0.freeSpace = { _ in free.withLock { $0 } } }
        for (name, options) in [("old", []), ("new", ["-vf", "negate", "-preset", "medium"])] {
            let folder = "\(test.folder.path)/\(name)"
            try SampleMedia.makeStream(in: folder, options)
            try await test.origin.serve(["/\(name)/": ["directory": .text(folder)]])
        }
        try await test.origin.serve(["/old/part5.ts": ["gate": "last"]])
        let pauses = MessageRecorder(DownloadPaused.self, on: test.library.messages)
        let ends = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        let item = try await test.library.enqueue(try test.request("/old/stream.m3u8")).item
        await test.start()
        try await test.origin.waitForRequests(atGate: "last")
        free.withLock { $0 = 1_000 }
        try await test.origin.openGate("last")
        _ = try await pauses.next()
        let parts = try test.library.journal.downloads.parts(of: item.id)
        #expect(parts.count == 6 && parts.allSatisfy { $0.size != nil })
        free.withLock { $0 = 1 << 40 }
        _ = try await test.library.retry(item.id, at: test.origin.address("/new/stream.m3u8"))
        let ready = try await ends.next().item
        #expect(ready.note == "Started over: the new address has another stream.")
        #expect(try await test.requests()["/new/stream.m3u8"] == 1)
        await test.library.stop()
    }
}
