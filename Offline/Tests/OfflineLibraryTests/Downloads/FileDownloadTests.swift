// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FileDownloadTests {
    private let size: JSON = 3_000_000

    @Test func aPlainFileIsStoredUnchanged() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/notes/Lesson%201.txt": ["text": "one\ntwo\n"]])
        let item = try await test.get("/notes/Lesson%201.txt")
        #expect(item.state == .ready)
        #expect(item.title == "Lesson 1")
        #expect(item.kind == .file)
        #expect(item.size == 8)
        #expect(item.fileName == "Lesson 1.txt")
        #expect(try test.bytes(of: item) == Data("one\ntwo\n".utf8))
        await test.library.stop()
    }

    @Test func o4_mediaIsReadyOnlyWhenItPassesTheProbe() async throws {
        let test = try TestLibrary()
        try SampleMedia.makeFile("film.mp4", in: test.folder.path)
        let film: JSON = .text(test.folder.path + "/film.mp4")
        try await test.origin.serve([
            "/film.mp4": ["file": film],
            "/broken.mp4": ["size": 5_000, "seed": 1, "type": "video/mp4"],
        ])
        let ready = try await test.get("/film.mp4")
        #expect(ready.state == .ready)
        #expect(ready.mediaType == "video/mp4")
        #expect(ready.width == 160)
        #expect(ready.hasPicture)
        #expect((ready.duration ?? 0) > 5.5)
        let broken = try await test.get("/broken.mp4")
        #expect(broken.state == .failed)
        #expect(test.library.path(of: broken) == nil)
        await test.library.stop()
    }

    @Test func o2_anInterruptedFileResumesAtItsEnd() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/big.bin": [
                ["size": size, "seed": 7, "cut": 1_000_000], ["size": size, "seed": 7],
            ]
        ])
        let item = try await test.get("/big.bin")
        #expect(item.state == .ready)
        let log = try await test.origin.log()
        #expect(log.map(\.range) == [nil, "bytes=1000000-"])
        #expect(item.size == 3_000_000)
        try await test.origin.serve(["/whole.bin": ["size": size, "seed": 7]])
        let whole = try await test.get("/whole.bin")
        #expect(try test.bytes(of: item) == test.bytes(of: whole))
        await test.library.stop()
    }

    @Test(arguments: ["ignore", "wrong", "refuse"])
    func o5_aResumedFileNeverMixesTwoVersions(ranges: String) async throws {
        let test = try TestLibrary()
        let changed: JSON = ["size": size, "seed": 8, "ranges": .text(ranges)]
        try await test.origin.serve([
            "/big.bin": [
                ["size": size, "seed": 7, "cut": 1_000_000], changed, changed,
            ],
            "/new.bin": ["size": size, "seed": 8],
        ])
        let item = try await test.get("/big.bin")
        #expect(item.state == .ready)
        #expect(item.note?.hasPrefix("Started over") == true)
        let new = try await test.get("/new.bin")
        #expect(try test.bytes(of: item) == test.bytes(of: new))
        await test.library.stop()
    }

    @Test func o5_aKillBetweenTwoVersionsLeavesNoByteOfTheOldOne() async throws {
        let folder = try TemporaryFolder()
        let work = LibraryDirectory(path: folder.path + "/library").work
        let found = MessageCenter()
        let recorder = MessageRecorder(FoundFiles.self, on: found)
        let test = try TestLibrary(in: folder) {
            $0.reachCheckpoint = { point in
                guard point == .afterVersionCommit else { return }
                let folders = SystemFile.names(in: work)
                let names = folders.flatMap { SystemFile.names(in: "\(work)/\($0)") }
                found.post(FoundFiles(names: names))
            }
        }
        try await test.origin.serve([
            "/big.bin": [
                ["size": size, "seed": 7, "cut": 1_000_000],
                ["size": size, "seed": 8, "ranges": "ignore"],
            ]
        ])
        let item = try await test.get("/big.bin")
        #expect(item.note?.hasPrefix("Started over") == true)
        #expect(recorder.messages.map(\.names) == [[], []])
        await test.library.stop()
    }

    private struct FoundFiles: Message {
        let names: [String]
    }

    @Test func o2_aFileWithoutAValidatorStartsOverWithANote() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/big.bin": [
                ["size": size, "seed": 7, "etag": nil, "cut": 1_000_000],
                ["size": size, "seed": 7, "etag": nil],
            ]
        ])
        let item = try await test.get("/big.bin")
        #expect(item.state == .ready)
        #expect(item.note?.hasPrefix("Started over") == true)
        #expect(try await test.origin.log().map(\.range) == [nil, nil])
        await test.library.stop()
    }

    @Test func o7_aFileThatNeverGrowsFails() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/big.bin": ["size": size, "seed": 7, "etag": nil, "cut": 1_000_000]
        ])
        let item = try await test.get("/big.bin")
        #expect(item.failure?.code == "connection")
        #expect(try await test.requests() == ["/big.bin": 3])
        await test.library.stop()
    }

    @Test func aFileOfUnknownLengthHasANote() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/a.txt": ["text": "one\n", "framing": "close"]])
        let item = try await test.get("/a.txt")
        #expect(item.state == .ready)
        #expect(item.note?.contains("did not announce the file's size") == true)
        try await test.origin.serve(["/b.txt": ["text": "one\n", "framing": "chunked"]])
        #expect(try await test.get("/b.txt").note == nil)
        await test.library.stop()
    }

    @Test func o4_aFilmThatTheConnectionCutsIsNotReady() async throws {
        let test = try TestLibrary()
        try SampleMedia.makeFile("film.mp4", in: test.folder.path)
        let path = test.folder.path + "/film.mp4"
        let size = try Data(contentsOf: URL(filePath: path)).count
        let film: JSON = ["file": .text(path), "framing": "close"]
        let cut: JSON = [
            "file": .text(path), "framing": "close", "cut": .integer(size - 100), "etag": nil,
        ]
        try await test.origin.serve([
            "/cut.mp4": cut, "/whole.mp4": film, "/late.mp4": [cut, film],
        ])
        #expect(try await test.get("/cut.mp4").failure?.code == "connection")
        let whole = try await test.get("/whole.mp4")
        #expect(whole.state == .ready)
        #expect(whole.note == nil)
        #expect(try await test.get("/late.mp4").state == .ready)
        await test.library.stop()
    }

    @Test(arguments: [
        ("/film.mp4", "abcd", "application/octet-stream"),
        ("/soft.mp4", "404 page not found", "text/plain"),
        ("/song.flac", "Please log in", "text/plain"),
    ])
    func o4_otherContentAtTheAddressOfMediaIsNotReady(
        _ path: String,
        _ text: String,
        _ type: String
    ) async throws {
        let test = try TestLibrary()
        try await test.origin.serve([path: ["text": .text(text), "type": .text(type)]])
        let item = try await test.get(path)
        #expect(item.state == .failed)
        #expect(item.failure?.code == "notMedia")
        #expect(item.failure?.message.contains("Open the address in a browser") == true)
        await test.library.stop()
    }

    @Test func o4_aTextAtTheAddressOfAPlaylistIsNotReady() async throws {
        let test = try TestLibrary()
        let text: JSON = ["text": "Not here any more", "type": "text/plain"]
        try await test.origin.serve(["/r.m3u8": ["redirect": "/text"], "/text": text])
        #expect(try await test.get("/r.m3u8").failure?.code == "notMedia")
        await test.library.stop()
    }

    @Test func aProgramInTypeScriptIsKeptAsAText() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/main.ts": ["text": "let a = 1\n", "type": "text/plain"]])
        #expect(try await test.get("/main.ts").fileName == "main.txt")
        await test.library.stop()
    }

    @Test func o5_aShorterPartThanRequestedIsNotTheEnd() async throws {
        let test = try TestLibrary()
        let text = (0..<1_000).map { "line \($0)\n" }.joined()
        let part = text.dropFirst(3_000).prefix(2_000)
        let head = """
            HTTP/1.1 206 Partial Content\r
            ETag: "v"\r
            Content-Range: bytes 3000-4999/\(text.count)\r
            Content-Length: 2000\r
            Connection: close\r
            \r

            """
        let whole: JSON = ["text": .text(text), "etag": "\"v\""]
        try await test.origin.serve([
            "/a.txt": [
                ["text": .text(text), "etag": "\"v\"", "framing": "chunked", "cut": 3_000],
                ["raw": .text(head + part)], whole,
            ]
        ])
        let item = try await test.get("/a.txt")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(item.note == nil)
        #expect(try test.bytes(of: item) == Data(text.utf8))
        await test.library.stop()
    }

    @Test func o2_aCompleteFileDoesNotWaitForTheErrorPageOfItsRequest() async throws {
        let test = try TestLibrary()
        let text = "one\ntwo\n"
        let head = "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 500\r\n\r\n"
        try await test.origin.serve(["/a.txt": ["raw": .text(head + "cut")]])
        let id = try await test.library.enqueue(try test.request("/a.txt")).item.id
        let directory = test.library.directory
        try SystemFile.makeFolder(directory.work(of: id))
        try Data(text.utf8).write(to: URL(filePath: directory.partialFile(of: id)))
        let size = Int64(text.utf8.count)
        try test.library.journal.downloads.setTransfer(
            TransferRecord(validator: "\"v\"", totalBytes: size, syncedBytes: size),
            of: id
        )
        try test.library.journal.change(id, .set(\.kind, .file))
        let item = try await test.get("/a.txt")
        #expect(item.state == .ready, "\(item.failure?.message ?? "")")
        #expect(try await test.requests() == ["/a.txt": 1])
        await test.library.stop()
    }

    @Test func o2_aResumedFileBelongsToTheCurrentBoot() async throws {
        let first = try TestLibrary { $0.bootID = "one" }
        try await first.origin.serve([
            "/big.bin": ["size": size, "seed": 7, "gate": "rest", "gateAfter": 1_500_000]
        ])
        let id = try await first.library.enqueue(try first.request("/big.bin")).item.id
        await first.start()
        try await first.origin.waitForRequests(1, atGate: "rest")
        await first.library.stop()
        let second = try TestLibrary(in: first.folder, origin: first.origin) { $0.bootID = "two" }
        let changes = MessageRecorder(ItemChanged.self, on: second.library.messages)
        await second.start()
        // The first change is the start of the download, and the second is the response.
        _ = try await changes.next()
        #expect(try await changes.next().item.state == .fetching)
        #expect(try second.library.journal.downloads.transfer(of: id).bootID == "two")
        await second.library.stop()
        try await first.origin.openGate("rest")
    }

    @Test func o2_aRebootTruncatesToTheSyncedLength() async throws {
        let first = try TestLibrary { $0.bootID = "one" }
        try await first.origin.serve([
            "/big.bin": ["size": size, "seed": 7, "gate": "rest", "gateAfter": 1_500_000]
        ])
        let request = try first.request("/big.bin")
        let id = try await first.library.enqueue(request).item.id
        await first.start()
        try await first.origin.waitForRequests(1, atGate: "rest")
        await first.library.stop()
        let directory = first.library.directory
        let partial = directory.partialFile(of: id)
        // After a power cut, the unsynced bytes may have any content.
        let synced = try first.library.journal.downloads.transfer(of: id).syncedBytes
        let handle = try #require(FileHandle(forWritingAtPath: partial))
        try handle.seek(toOffset: UInt64(synced))
        try handle.write(contentsOf: Data(repeating: 0, count: 1_800_000))
        try handle.close()
        let (folder, origin) = (first.folder, first.origin)
        try await origin.openGate("rest")
        try await expectWholeAfterReboot(id, folder, origin)
    }

    private func expectWholeAfterReboot(
        _ id: ItemID,
        _ folder: TemporaryFolder,
        _ origin: OriginServer
    ) async throws {
        let second = try TestLibrary(in: TemporaryFolder(), origin: origin)
        try await origin.serve(["/whole.bin": ["size": size, "seed": 7]])
        let whole = try await second.get("/whole.bin")
        await second.library.stop()
        let again = try TestLibrary(in: folder, origin: origin) { $0.bootID = "two" }
        let item = try await again.get("/big.bin")
        #expect(item.id == id)
        #expect(try again.bytes(of: item) == second.bytes(of: whole))
        await again.library.stop()
    }

    @Test(arguments: [
        ("/page", "text/html", "<!doctype html><title>Hi</title>", "unsupported"),
        ("/a.mpd", "application/dash+xml", "<?xml version=\"1.0\"?><MPD></MPD>", "invalidPlaylist"),
        ("/nothing", "video/mp4", "", "unsupported"),
    ])
    func unsupportedContentIsRefusedBeforeAByteIsWritten(
        path: String,
        type: String,
        text: String,
        code: String
    ) async throws {
        let test = try TestLibrary()
        try await test.origin.serve([path: ["text": .text(text), "type": .text(type)]])
        let item = try await test.get(path)
        #expect(item.state == .failed)
        #expect(item.failure?.code == code)
        #expect(SystemFile.size(of: test.library.directory.partialFile(of: item.id)) == nil)
        await test.library.stop()
    }

    @Test func o7_aPermanentStatusFailsAtOnce() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/gone": ["status": 404, "text": "no"]])
        let item = try await test.get("/gone")
        #expect(item.failure?.code == "status")
        #expect(item.failure?.message.contains("404") == true)
        #expect(try await test.requests() == ["/gone": 1])
        await test.library.stop()
    }

    @Test(arguments: [408, 429, 503])
    func o7_aTransientStatusIsRetried(status: Int) async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/busy.txt": [["status": .integer(status), "text": "later"], ["text": "now"]]
        ])
        let item = try await test.get("/busy.txt")
        #expect(item.state == .ready)
        #expect(try await test.requests() == ["/busy.txt": 2])
        await test.library.stop()
    }

    @Test func o18_theSameAddressIsTheSameItem() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/a.txt": ["text": "a"]])
        let first = try await test.get("/a.txt")
        let second = try await test.get("/a.txt")
        #expect(second == first)
        #expect(try await test.requests() == ["/a.txt": 1])
        var again = try test.request("/a.txt")
        again.again = true
        guard case .created(let third) = try await test.library.enqueue(again) else {
            Issue.record("a request with `again` must create a second item")
            return
        }
        #expect(third.id != first.id)
        await test.library.stop()
    }

    @Test func theRefusalOfAPrivateAddressNamesTheOption() async throws {
        let test = try TestLibrary { $0.allowsPrivateAddresses = false }
        try await test.origin.serve(["/a.txt": ["text": "a"]])
        let item = try await test.get("/a.txt")
        #expect(item.failure?.code == "privateAddress")
        #expect(item.failure?.message.contains("--allow-private") == true)
        #expect(try await test.requests().isEmpty)
        await test.library.stop()
    }

    @Test func anUnrequestedCompressionIsRefused() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/bomb.m3u8": ["gzip": 500_000_000], "/archive.tar.gz": ["gzip": 1_000],
        ])
        let bomb = try await test.get("/bomb.m3u8")
        #expect(bomb.failure?.code == "unsupported")
        #expect(bomb.failure?.message.contains("gzip") == true)
        let archive = try await test.get("/archive.tar.gz")
        #expect(archive.fileName == "archive.tar.gz")
        await test.library.stop()
    }

    @Test func removingARunningDownloadDeletesItsData() async throws {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/big.bin": ["size": size, "seed": 7, "gate": "rest", "gateAfter": 500_000]
        ])
        let id = try await test.library.enqueue(try test.request("/big.bin")).item.id
        await test.start()
        try await test.origin.waitForRequests(1, atGate: "rest")
        try await test.library.remove(id, withFile: true)
        #expect(throws: LibraryError.self) { try test.library.item(id) }
        #expect(SystemFile.names(in: test.library.directory.work).isEmpty)
        #expect(try await test.requests() == ["/big.bin": 1])
        await test.library.stop()
    }
}
