// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

/// Tests of the checks of imported files, which an item awaits before it is ready.
@Suite(.timeLimit(.minutes(15)))
struct ImportChecksTests {
    private let filled: FilledLibrary
    private let film: Data
    private var library: Library { filled.library }
    private var registry: Registry { get throws { try library.journal.registry } }

    init() throws {
        filled = try FilledLibrary()
        try SampleMedia.makeFile("whole.mp4", in: filled.folder.path)
        film = try Data(contentsOf: URL(filePath: filled.folder.path + "/whole.mp4"))
    }

    private func write(_ content: Data, to name: String = "film.mp4") throws {
        try content.write(to: URL(filePath: filled.path(name)))
    }

    @discardableResult
    private func load() async throws -> RefreshReport {
        try await library.refresh(RefreshOptions(importFiles: true))
    }

    /// Lists the film of a test, before the check of the film.
    private func listFilm() throws -> MediaItem {
        try write(film)
        let file = try ImportedFile("film.mp4", size: Int64(film.count), in: library.directory)
        return try #require(try library.journal.insert([file], at: Date()).first)
    }

    private func check(
        _ item: MediaItem,
        _ probe: MediaProbe = .init()
    ) async throws
        -> ImportCheck.Result
    {
        let check = ImportCheck(
            journal: library.journal,
            directory: library.directory,
            probe: probe
        )
        return try await check.run(item)
    }

    private func work(_ script: String) throws -> (ImportWork, FakeProgram) {
        let program = try FakeProgram("ffprobe", script)
        let work = ImportWork(
            library.journal,
            library.directory,
            make: { _, _, _ in },
            probe: MediaProbe(searchPath: program.folder.path)
        )
        return (work, program)
    }

    @Test func o4_theFilmsOfALargeImportAreReadyOnlyAfterTheirChecks() async throws {
        let count = ImportWork.immediateCount + 1
        for number in 1...count { try write(film, to: "\(number).mp4") }
        let report = try await load()
        #expect(report.imported.count == count && report.unverified == count)
        let listed = try registry.items.items()
        #expect(listed.allSatisfy { $0.state == .unverified && library.path(of: $0) == nil })
        let (work, program) = try work(FakeProgram.properties)
        defer { _ = program }
        work.start()
        await work.end()
        let items = try registry.items.items()
        #expect(items.allSatisfy { $0.state == .ready && $0.width == 160 && $0.hasPicture })
        await library.stop()
    }

    @Test func o4_aFileThatCannotBePlayedFailsUntilItIsReplaced() async throws {
        let broken = Data([0, 0, 0, 24]) + Data("ftypmp42nothing more".utf8)
        try write(broken)
        let report = try await load()
        let id = try #require(report.imported.first?.id)
        #expect(report.problems.first?.contains("offline retry \(id)") == true)
        #expect(report.unverified == 0 && report.failures == 1)
        let item = try library.item(id)
        #expect(item.state == .failed && item.failure?.code == "notMedia")
        #expect(item.failure?.message.contains("another address") == false)
        #expect(try Data(contentsOf: URL(filePath: filled.path("film.mp4"))) == broken)
        let again = try await load()
        #expect(again.checked == 1 && again.problems.isEmpty && again.orphans.isEmpty)
        try write(film)
        _ = try await library.refresh()
        #expect(try library.item(id).state == .ready)
        await library.stop()
    }

    @Test func aRetryChecksAnImportedFileAgain() async throws {
        let item = try listFilm()
        try library.journal.move(item.id, .fail)
        #expect(try await CommonAction.retry.perform(in: library) == 0)
        #expect(try await library.retry(item.id).state == .ready)
        try SystemFile.remove(filled.path("film.mp4"))
        try library.journal.move(item.id, .lose)
        await #expect(throws: LibraryError.self) { try await library.retry(item.id) }
        await library.stop()
    }

    @Test func o4_aFilmWithoutItsEndIsNotImported() async throws {
        // ffprobe reads the index at the start and accepts this film.
        let indexed = filled.folder.path + "/indexed.mp4"
        try SampleMedia.makeFile(
            "indexed.mp4",
            in: filled.folder.path,
            ["-movflags", "+faststart"]
        )
        try write(try Data(contentsOf: URL(filePath: indexed)).dropLast(500))
        let report = try await load()
        #expect(report.imported.isEmpty && report.orphans.map(\.name) == ["film.mp4"])
        #expect(report.problems.first?.contains("Its end is missing") == true)
        #expect(report.failures == 1)
        await library.stop()
    }

    @Test func o10_aFilmThatIsGoneBeforeItsCheckIsMissingOnlyAfterARefresh() async throws {
        let item = try listFilm()
        try SystemFile.remove(filled.path("film.mp4"))
        #expect(try await check(item) == .due("film.mp4 is missing."))
        #expect(try library.item(item.id).state == .unverified)
        #expect(try await library.refresh().needsConfirmation)
        _ = try await library.refresh(RefreshOptions(isConfirmed: true))
        #expect(try library.item(item.id).state == .missing)
        // The film is checked on return, because the item was never ready.
        try write(Data("no film at all".utf8))
        #expect(try await library.refresh().returned.map(\.id) == [item.id])
        #expect(try library.item(item.id).state == .failed)
        await library.stop()
    }

    @Test func o4_aFilmThatIsReplacedBeforeItsCheckCountsAsItIs() async throws {
        let item = try listFilm()
        try write(film + Data([0, 0, 0, 8]) + Data("free".utf8))
        #expect(try await check(item) == .ready)
        let ready = try library.item(item.id)
        #expect(ready.size == Int64(film.count + 8) && ready.readyAt != nil)
        #expect(try await library.refresh().missing.isEmpty)
        await library.stop()
    }

    @Test(arguments: [FakeProgram.properties, "exit 1"])
    func o4_aFileThatIsStillBeingWrittenIsCheckedLater(_ script: String) async throws {
        let item = try listFilm()
        let change = #"for last; do :; done; touch "${last#file:}""#
        let program = try FakeProgram("ffprobe", "\(change)\n\(script)")
        let result = try await check(item, MediaProbe(searchPath: program.folder.path))
        #expect(result == .due("film.mp4 is being changed."))
        #expect(try library.item(item.id).state == .unverified)
        await library.stop()
    }

    @Test func aCheckWithoutFfprobeIsDoneLater() async throws {
        let item = try listFilm()
        let result = try await check(item, MediaProbe(searchPath: filled.folder.path))
        guard case .due(let text?) = result else { throw CancellationError() }
        #expect(text.contains("ffprobe"))
        #expect(try library.item(item.id).state == .unverified)
        await library.stop()
    }

    @Test func aCheckWhoseProgramCannotStartIsDoneLater() async throws {
        let item = try listFilm()
        let program = try FakeProgram("ffprobe", FakeProgram.properties)
        // The kernel starts no file that is open for writing.
        let file = try #require(FileHandle(forWritingAtPath: program.path))
        let probe = MediaProbe(searchPath: program.folder.path)
        let result = try await check(item, probe)
        guard case .due(let text?) = result else { throw CancellationError() }
        #expect(text.contains("Cannot start ffprobe"))
        #expect(try library.item(item.id).state == .unverified)
        withExtendedLifetime(file) {}
        await library.stop()
    }

    @Test func o3_aCheckThatAStopInterruptsIsDoneAtTheNextStart() async throws {
        let item = try listFilm()
        let (slow, program) = try work(#": > "$0.begun"; exec sleep 60"#)
        let begun = program.path + ".begun"
        #expect(mkfifo(begun, 0o600) == 0)
        slow.start()
        // Opening the pipe waits for the script.
        await performBlocking { _ = FileHandle(forReadingAtPath: begun) }
        await slow.stop()
        #expect(try library.item(item.id).state == .unverified)
        await library.stop()
        let next = try Library(LibraryConfiguration(directory: library.directory))
        #expect(try next.item(item.id).state == .unverified)
        next.importWork.start()
        await next.importWork.end()
        #expect(try next.item(item.id).state == .ready)
        await next.stop()
    }

    @Test func o30_theNextCheckIsFoundByAnIndex() async throws {
        let plan = try registry.connection.withLock { connection throws(SQLiteError) in
            let statement = "EXPLAIN QUERY PLAN SELECT * FROM items WHERE " + ItemReader.needsCheck
            return try connection.rows(statement, .integer(1)) { row throws(SQLiteError) in
                try row.text("detail")
            }
        }
        #expect(plan == ["SEARCH items USING INDEX items_by_state (state=? AND rowid<?)"])
        await library.stop()
    }
}
