// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

/// Tests of imports of files without items, with pictures that follow in the background.
@Suite(.timeLimit(.minutes(15)))
struct ImportedFilesTests {
    private let filled: FilledLibrary
    private var library: Library { filled.library }
    private var registry: Registry { get throws { try library.journal.registry } }

    init() throws {
        filled = try FilledLibrary()
    }

    @discardableResult
    private func load() async throws -> RefreshReport {
        try await library.refresh(RefreshOptions(importFiles: true))
    }

    /// Imports items with pictures that a test makes.
    private func loadFilms(_ count: Int) async throws -> [ItemID] {
        for number in 1...count { try filled.write("film \(number)", to: "\(number).txt") }
        let ids = try await load().imported.map(\.id)
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute("UPDATE items SET picture_due = 1")
        }
        return ids
    }

    private func makePictures(_ make: @escaping ImportWork.Maker) -> ImportWork {
        ImportWork(library.journal, library.directory, make: make)
    }

    @Test func o30_anImportLeavesThePicturesToTheBackground() async throws {
        try SampleMedia.makeFile("film.mp4", in: library.directory.media)
        try filled.write("text", to: "note.txt")
        let ids = try await load().imported.map(\.id)
        #expect(try library.item(ids[0]).state == .ready)
        #expect(try library.item(ids[0]).width == 160)
        #expect(try registry.items.nextForPicture(before: nil)?.id == ids[0])
        // A text file needs no picture.
        #expect(try registry.items.nextForPicture(before: ids[0]) == nil)
        #expect(!SystemFile.exists(library.directory.picture(of: ids[0])))
        library.importWork.start()
        await library.importWork.end()
        #expect(try library.item(ids[0]).hasPicture)
        #expect(SystemFile.exists(library.directory.picture(of: ids[0])))
        #expect(try registry.items.nextForPicture(before: nil) == nil)
        await library.stop()
    }

    @Test func o30_aRunningLibraryMakesThePicturesOfAnImport() async throws {
        let test = try TestLibrary()
        await test.start()
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        try SampleMedia.makeFile("film.mp4", in: test.library.directory.media)
        _ = try await test.library.refresh(RefreshOptions(importFiles: true))
        for await change in changes where change.item.hasPicture { break }
        await test.library.stop()
    }

    @Test func o30_manyFilesAreOneCommit() async throws {
        for number in 1...260 { try filled.write("text", to: "\(number).txt") }
        let imports = MessageRecorder(ItemsImported.self, on: library.messages)
        let inserted = MessageRecorder(DownloadQueued.self, on: library.messages)
        #expect(try await load().imported.count == 260)
        #expect(imports.messages.map(\.count) == [256, 4])
        #expect(inserted.messages.isEmpty)
        await library.stop()
    }

    @Test func o10_theFaultOfOneFileDoesNotStopTheOthers() async throws {
        for name in ["a.txt", "b.txt", "c.txt"] { try filled.write("text", to: name) }
        let other = try SQLiteConnection(path: library.directory.registry, mode: .readWriteCreate)
        try other.execute(
            """
            CREATE TRIGGER failure BEFORE UPDATE ON items WHEN new.file_name = 'b.txt'
            BEGIN SELECT RAISE(FAIL, 'refused by the test'); END
            """
        )
        let report = try await load()
        try other.execute("DROP TRIGGER failure")
        #expect(report.imported.map(\.title) == ["a", "c"])
        #expect(report.orphans.map(\.name) == ["b.txt"] && report.problems.count == 1)
        #expect(report.failures == 1)
        await library.stop()
    }

    private func limitPages(to count: Int) throws {
        try registry.connection.withLock { connection throws(SQLiteError) in
            _ = try connection.rows("PRAGMA max_page_count = \(count)") { _ in }
        }
    }

    @Test func o9_aFullDiskEndsAnImportWithOneProblem() async throws {
        for number in 1...300 { try filled.write("text", to: "\(number).txt") }
        // SQLite keeps the present number of pages.
        try limitPages(to: 1)
        let report = try await load()
        #expect(report.problems.count == 1 && report.problems[0].contains("The disk is full"))
        #expect(report.imported.isEmpty && report.orphans.count == 300 && report.failures == 300)
        try limitPages(to: 100_000)
        #expect(try await load().imported.count == 300)
        await library.stop()
    }

    @Test func o10_aFileThatHasGotAnItemMeanwhileIsNotImportedTwice() async throws {
        try filled.write("text", to: "a.txt")
        let file = try ImportedFile("a.txt", size: 4, in: library.directory)
        #expect(try library.journal.insert([file], at: Date()).count == 1)
        #expect(try library.journal.insert([file], at: Date()).isEmpty)
        await library.stop()
    }

    @Test func o30_twoPicturesAreMadeAtATimeTheNewestFirst() async throws {
        let ids = try await loadFilms(6)
        let running = Lock((now: 0, most: 0, begun: [ItemID]()))
        let isFull = Gate()
        let pictures = makePictures { [directory = library.directory] picture, _, _ in
            let id = ids.first { directory.picture(of: $0) == picture.path }
            let now = running.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
                if let id { state.begun.append(id) }
                return state.now
            }
            if now == ImportWork.workerCount { isFull.open() }
            try? await isFull.wait()
            for _ in 0..<100 { await Task.yield() }
            running.withLock { $0.now -= 1 }
        }
        pictures.start()
        await pictures.end()
        let (most, begun) = running.withLock { ($0.most, $0.begun) }
        #expect(most == 2)
        #expect(Set(begun.prefix(2)) == Set(ids.suffix(2)) && Set(begun) == Set(ids))
        #expect(try registry.items.items().allSatisfy(\.hasPicture))
        await library.stop()
    }

    @Test func o30_anInterruptedPictureIsStillDue() async throws {
        let ids = try await loadFilms(3)
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let program = try FakeProgram("ffmpeg", "exec sleep 3600")
        let pictures = makePictures { picture, media, duration throws(MediaError) in
            continuation.yield()
            let thumbnailer = Thumbnailer(searchPath: program.folder.path, isUrgent: false)
            try await picture.make(of: media, duration: duration, by: thumbnailer)
        }
        pictures.start()
        for await _ in begun { break }
        // The stop does not wait for the program, which outlasts the suite.
        await pictures.stop()
        #expect(try registry.items.nextForPicture(before: nil)?.id == ids[2])
        #expect(try registry.items.items().allSatisfy { !$0.hasPicture })
        await library.stop()
    }

    @Test func o30_aPictureThatCannotBeMadeIsNotTriedAgain() async throws {
        _ = try await loadFilms(2)
        library.importWork.start()
        await library.importWork.end()
        #expect(try registry.items.items().allSatisfy { !$0.hasPicture })
        #expect(try registry.items.nextForPicture(before: nil) == nil)
        await library.stop()
    }

    @Test(arguments: [MediaErrorCode.toolMissing, .timedOut, .cannotRead])
    func o30_aPictureThatCanBeMadeLaterIsStillDue(_ code: MediaErrorCode) async throws {
        let ids = try await loadFilms(2)
        let pictures = makePictures { _, _, _ throws(MediaError) in
            throw MediaError(code, "A test.")
        }
        pictures.start()
        await pictures.end()
        #expect(try registry.items.nextForPicture(before: nil)?.id == ids[1])
        await library.stop()
    }

    @Test func o30_thePictureOfARemovedItemIsRemoved() async throws {
        let ids = try await loadFilms(1)
        let pictures = makePictures { [library] picture, _, _ in
            try? Data().write(to: URL(filePath: picture.path))
            try? library.journal.remove(ids[0])
        }
        pictures.start()
        await pictures.end()
        #expect(!SystemFile.exists(library.directory.picture(of: ids[0])))
        await library.stop()
    }
}
