// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsHTTP
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct ReplacedAddressTests {
    private let test: TestLibrary

    init() throws {
        test = try TestLibrary()
        try SampleMedia.makeFile("one.mp4", in: test.folder.path)
    }

    private var film: JSON { .text(test.folder.path + "/one.mp4") }

    private func options(_ header: String) throws -> RequestOptions {
        try RequestOptions(.init(headers: [header]))
    }

    /// Retries an item at another address and returns the item when it is ready or has failed.
    private func retry(_ item: MediaItem, at path: String) async throws -> MediaItem {
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        _ = try await test.library.retry(item.id, at: try test.origin.address(path))
        for await change in changes where change.item.id == item.id {
            if change.item.state == .ready || change.item.state == .failed { return change.item }
        }
        throw CancellationError()
    }

    private func cutFilm() async throws -> MediaItem {
        try await test.origin.serve([
            "/old.mp4": [
                ["file": film, "cut": 4_000, "etag": "\"v1\""], ["status": 403, "text": "expired"],
            ]
        ])
        let item = try await test.get("/old.mp4")
        #expect(item.failure?.code == "status")
        return item
    }

    @Test func o23_bytesOfTheSameVersionAreKeptAtANewAddress() async throws {
        let item = try await cutFilm()
        try await test.origin.serve(["/new/film.mp4": ["file": film, "etag": "\"v1\""]])
        let ready = try await retry(item, at: "/new/film.mp4")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.note == nil)
        #expect(ready.origin == .address(try test.origin.address("/new/film.mp4")))
        #expect(try await test.origin.log().last?.range == "bytes=4000-")
        let whole = try Data(contentsOf: URL(filePath: test.folder.path + "/one.mp4"))
        #expect(try test.bytes(of: ready) == whole)
        await test.library.stop()
    }

    @Test func o23_anotherVersionStartsOverAndSaysSo() async throws {
        let item = try await cutFilm()
        try await test.origin.serve(["/new.mp4": ["file": film, "etag": "\"v2\""]])
        let ready = try await retry(item, at: "/new.mp4")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.note?.contains("Started over") == true)
        await test.library.stop()
    }

    @Test func o23_aPageMayReplaceTheAddressOfItsFilm() async throws {
        let item = try await cutFilm()
        try await test.origin.serve([
            "/watch": [
                "text": "<title>Reef</title><video src=/signed/film.mp4></video>",
                "type": "text/html",
            ],
            "/signed/film.mp4": ["file": film, "etag": "\"v1\""],
        ])
        let ready = try await retry(item, at: "/watch")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(try await test.origin.log().last?.range == "bytes=4000-")
        await test.library.stop()
    }

    @Test func o23_theFilmMayReplaceTheAddressOfItsPage() async throws {
        try await test.origin.serve([
            "/watch": [
                "text": "<title>Reef</title><video src=/old.mp4></video>", "type": "text/html",
            ]
        ])
        try await test.origin.serve([
            "/old.mp4": [
                ["file": film, "cut": 4_000, "etag": "\"v1\""], ["status": 403, "text": "expired"],
            ],
            "/new.mp4": ["file": film, "etag": "\"v1\""],
        ])
        let item = try await test.get("/watch")
        let ready = try await retry(item, at: "/new.mp4")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.title == "Reef")
        #expect(try await test.origin.log().last?.range == "bytes=4000-")
        await test.library.stop()
    }

    @Test func o23_anotherItemKeepsItsAddress() async throws {
        let item = try await cutFilm()
        try await test.origin.serve(["/new.mp4": ["file": film]])
        let other = try await test.library.enqueue(try test.request("/new.mp4")).item
        await #expect(throws: LibraryError.self) { try await retry(item, at: "/new.mp4") }
        #expect(try test.library.item(item.id).origin == item.origin)
        #expect(try test.library.item(other.id).origin == other.origin)
        // The data of the item still belong to the old address.
        #expect(!ReplacedAddress(directory: test.library.directory, id: item.id).isMarked)
        await test.library.stop()
    }

    @Test func o23_onlyUnfinishedItemsGetANewAddress() async throws {
        try await test.origin.serve(["/a.mp4": ["file": film]])
        let ready = try await test.get("/a.mp4")
        await #expect(throws: LibraryError.self) { try await retry(ready, at: "/new.mp4") }
        #expect(try test.library.item(ready.id) == ready)
        await test.library.stop()
    }

    private func serve(_ folder: String, at path: String, _ route: [String: JSON]) async throws {
        for file in SystemFile.names(in: folder) {
            let served = route.merging(["file": .text("\(folder)/\(file)")]) { $1 }
            try await test.origin.serve(["\(path)/\(file)": .object(served)])
        }
    }

    /// Returns an item whose stream lacks one segment.
    private func cutStream(_ options: [String] = []) async throws -> MediaItem {
        let folder = test.folder.path + "/old"
        try SampleMedia.makeStream(in: folder, options)
        try await serve(folder, at: "/old", ["etag": "\"v1\""])
        try await test.origin.serve(["/old/part2.ts": ["status": 404, "text": "no"]])
        let item = try await test.get("/old/stream.m3u8")
        #expect(item.failure?.code == "missingSegments", "\(item.failure?.message ?? "")")
        return item
    }

    @Test func o23_segmentsOfTheSameLengthsAreKeptAtANewAddress() async throws {
        let item = try await cutStream()
        try await serve(test.folder.path + "/old", at: "/cdn/9/x", ["etag": "\"v2\""])
        let ready = try await retry(item, at: "/cdn/9/x/stream.m3u8")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.note == nil)
        let requests = try await test.requests()
        // Each kept segment is checked by one request, and the missing segment is fetched once.
        for number in 0..<6 { #expect(requests["/cdn/9/x/part\(number).ts"] == 1) }
        await test.library.stop()
    }

    @Test func o23_segmentsOfOtherLengthsStartOver() async throws {
        let item = try await cutStream()
        let folder = test.folder.path + "/new"
        try SampleMedia.makeStream(in: folder, ["-vf", "negate", "-preset", "medium"])
        try await serve(folder, at: "/new", ["etag": "\"v2\""])
        let ready = try await retry(item, at: "/new/stream.m3u8")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.note == "Started over: the new address has another stream.")
        let fresh = try TestLibrary(origin: test.origin)
        // The title is a tag of the file.
        var request = try test.request("/new/stream.m3u8")
        request.title = ready.title
        let whole = try await fresh.get(request)
        #expect(try test.bytes(of: ready) == fresh.bytes(of: whole))
        await fresh.library.stop()
        await test.library.stop()
    }

    @Test func o18_aNewAddressHasNoKindBeforeItsServerHasAnswered() async throws {
        let item = try await cutFilm()
        #expect(item.kind == .file)
        try await test.origin.serve(["/new.mp4": ["file": film, "gate": "head"]])
        let address = try test.origin.address("/new.mp4")
        #expect(try await test.library.retry(item.id, at: address).kind == nil)
        try await test.origin.openGate("head")
        await test.library.stop()
    }

    @Test func o5_aFullLengthAtAnotherAddressProvesNothing() async throws {
        let item = try await cutFilm()
        let size = try #require(SystemFile.size(of: test.folder.path + "/one.mp4"))
        let partial = test.library.directory.partialFile(of: item.id)
        let whole = try Data(contentsOf: URL(filePath: test.folder.path + "/one.mp4"))
        try whole.write(to: URL(filePath: partial))
        try await test.origin.serve([
            "/new": [
                ["status": 416, "text": "no", "etag": nil],
                ["size": .integer(Int(size - 1)), "type": "application/zip"],
            ]
        ])
        let ready = try await retry(item, at: "/new")
        #expect(ready.state == .ready, "\(ready.failure?.message ?? "")")
        #expect(ready.size == size - 1)
        await test.library.stop()
    }

    @Test func o18_ofTwoItemsOnlyOneGetsAnAddress() async throws {
        let library = test.library
        for number in 0..<40 {
            let ids = try ["a", "b"].map { name in
                let origin = try ItemOrigin(text: "https://media.example/\(name)\(number)")
                return try library.journal.insert(
                    DownloadRequest(origin),
                    state: .failed,
                    title: name,
                    at: Date()
                ).id
            }
            for id in ids { try SystemFile.makeFolder(library.directory.work(of: id)) }
            let address = try WebAddress("https://media.example/new\(number)")
            let moved = await withTaskGroup(of: Bool.self) { group in
                for id in ids {
                    group.addTask { (try? await library.retry(id, at: address)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(moved == 1)
        }
        await library.stop()
    }

    @Test func aFinishedRecordingGetsNoNewAddress() async throws {
        var request = try test.request("/live.m3u8")
        request.live = LiveRecording(isOver: true)
        let item = try test.library.journal.insert(
            request,
            state: .failed,
            title: "Live",
            at: Date()
        )
        try test.library.journal.change(item.id, .set(\.live, LiveRecording(isOver: true)))
        try test.library.journal.downloads.setRecording([LiveWindow()], of: item.id)
        let error = await #expect(throws: LibraryError.self) {
            try await test.library.retry(item.id, at: test.origin.address("/new.m3u8"))
        }
        #expect(error?.code == .notRetryable)
        #expect(error?.message.contains("recording is over") == true, "\(error?.message ?? "")")
        #expect(try test.library.item(item.id).origin == item.origin)
        await test.library.stop()
    }

    @Test func anInterruptedRecordingNotesItsNewAddress() async throws {
        var request = try test.request("/live.m3u8")
        request.live = LiveRecording()
        let item = try test.library.journal.insert(
            request,
            state: .paused,
            title: "Live",
            at: Date()
        )
        try test.library.journal.downloads.setRecording([LiveWindow()], of: item.id)
        let address = try test.origin.address("/new.m3u8")
        let queued = try await test.library.retry(item.id, at: address)
        #expect(queued.note?.contains("goes on from a new address") == true)
        await test.library.stop()
    }

    @Test func o14_headersAndCookiesStayWithTheirServer() throws {
        let jar =
            "example.org\tTRUE\t/\tFALSE\t0\tsession\tsecret\n"
            + "other.net\tTRUE\t/\tFALSE\t0\tsession\tsecret\n"
        var texts = RequestOptions.Texts(headers: ["Authorization: secret"], cookies: jar)
        texts.referrer = "https://example.org/page"
        let old = try WebAddress("https://example.org/film")
        let options = try RequestOptions(texts).kept(for: old)
        #expect(options.cookies.count == 1)
        let same = options.moved(from: old, to: try WebAddress("https://example.org/new"))
        #expect(same == options)
        let sub = options.moved(from: old, to: try WebAddress("https://cdn.example.org/new"))
        #expect(sub.headers.isEmpty && sub.cookies.count == 1)
        for text in [
            "https://evil.example/f", "http://example.org/f", "https://example.org:8443/f",
            "https://notexample.org/f",
        ] {
            let moved = options.moved(from: old, to: try WebAddress(text))
            #expect(moved.headers.isEmpty && moved.cookies.isEmpty, "\(text)")
            #expect(moved.referrer == options.referrer)
        }
    }

    @Test func o14_theNewServerGetsNoHeaders() async throws {
        let other = try OriginServer()
        try await other.serve(["/new.mp4": ["file": film]])
        try await test.origin.serve(["/old.mp4": ["status": 403, "text": "expired"]])
        var request = try test.request("/old.mp4")
        try request.setOptions(try options("X-Token: secret"))
        let item = try await test.get(request)
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        _ = try await test.library.retry(item.id, at: try other.address("/new.mp4"))
        for await change in changes where change.item.state == .ready { break }
        #expect(try await other.log().allSatisfy { $0.header("X-Token") == nil })
        #expect(try test.library.item(item.id).note?.contains("not sent to the new one") == true)
        await test.library.stop()
    }
}
