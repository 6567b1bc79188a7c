// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests that a start reads the whole registry only if the last process did not leave a mark.
@Suite(.timeLimit(.minutes(15)))
struct RegistryMarkTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/registry.sqlite"
        let registry = try open()
        for number in 0..<20 {
            _ = try registry.insert(
                DownloadRequest(.address(try WebAddress("http://example.org/\(number)"))),
                state: number < 15 ? .ready : .failed,
                title: "A title that fills the pages of the file, \(number)",
                at: Date(timeIntervalSince1970: 1_000)
            )
        }
        try change(registry, "UPDATE items SET media_type = 'video/mp4' WHERE id <= 3")
        registry.close()
    }

    private func open(now: Date = Date()) throws(SQLiteError) -> Registry {
        try Registry(
            path: path,
            mode: .readWriteCreate,
            migrations: Migration.all,
            lastNumber: { 0 },
            now: now
        )
    }

    private func change(_ registry: Registry, _ sql: String) throws(SQLiteError) {
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute(sql)
        }
    }

    /// Opens the registry, counts the items as a library does, and closes the registry in order.
    private func useOnce(_ body: (Registry) throws -> Void = { _ in }) throws {
        let registry = try open()
        _ = try registry.items.counts()
        try body(registry)
        registry.leaveWhole()
        registry.close()
    }

    /// Overwrites the page of the items as a disk that loses bytes does, without changing the
    /// file's time.
    private func damage(keepingTime: Bool = true) throws {
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        let pages = try reader.rows("SELECT rootpage FROM sqlite_master WHERE name = 'items'") {
            row throws(SQLiteError) in try row.int("rootpage")
        }
        reader.close()
        let before = try #require(status())
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(try #require(pages.first) - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0x5a, count: 4_096))
        try file.close()
        guard keepingTime else { return }
        #expect(utimensat(AT_FDCWD, path, [before.st_atim, before.st_mtim], 0) == 0)
    }

    private func status() -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Expects that the next opening reads the file and finds the damage.
    private func expectCheck(now: Date = Date()) throws {
        let error = #expect(throws: SQLiteError.self) { try open(now: now) }
        #expect(error?.code == .corrupt)
    }

    @Test func o30_aStartAfterAnOrderedEndReadsNoRows() throws {
        // The count of all rows would throw an error for the first row.
        try useOnce { try change($0, "UPDATE items SET created_at = 'soon' WHERE id = 1") }
        let registry = try open()
        #expect(registry.isTrusted)
        let counts = try registry.items.counts()
        #expect(counts.states == [.ready: 15, .failed: 5])
        #expect(counts.videos == 3)
    }

    @Test func o30_theCountsOfAStartComeFromAnIndexAlone() throws {
        let registry = try open()
        let plan = try registry.connection.withLock { connection throws(SQLiteError) in
            let statement = "EXPLAIN QUERY PLAN " + ItemReader.countByIndex
            return try connection.rows(statement) { row throws(SQLiteError) in
                try row.text("detail")
            }
        }
        #expect(plan == ["SCAN items USING COVERING INDEX items_by_type"])
    }

    @Test func o30_aStartAfterAnOrderedEndDoesNotReadTheFile() throws {
        try useOnce()
        try damage()
        #expect(try open().isTrusted)
    }

    @Test func o30_eachOrderedEndLeavesTheMark() throws {
        try useOnce()
        try useOnce { #expect($0.isTrusted) }
        try useOnce { registry in
            #expect(registry.isTrusted)
            try registry.remove(ItemID(rawValue: 1))
        }
        #expect(try open().isTrusted)
    }

    @Test func o28_aKilledProcessLeavesNoMark() throws {
        try useOnce()
        let registry = try open()
        registry.close()
        try damage()
        try expectCheck()
    }

    @Test func o28_aFileThatAnotherProgramHasChangedIsChecked() throws {
        try useOnce()
        try damage(keepingTime: false)
        try expectCheck()
    }

    @Test func o28_aLogOfAKilledProcessIsChecked() throws {
        try useOnce()
        let mark = try #require(SystemFile.read(folder.path + "/registry.whole", limit: 99))
        let writer = try SQLiteConnection(path: path, mode: .readWriteCreate, keepsLog: true)
        try writer.execute("CREATE TABLE other (number INTEGER)")
        writer.close()
        #expect(SystemFile.read(folder.path + "/registry.whole", limit: 99) == mark)
        #expect(try !open().isTrusted)
    }

    @Test func o28_aProcessThatFoundADamageLeavesNoMark() throws {
        try useOnce { registry in
            try change(registry, "UPDATE items SET created_at = 'soon' WHERE id = 1")
            #expect(throws: SQLiteError.self) { try registry.items.item(ItemID(rawValue: 1)) }
        }
        let registry = try open()
        #expect(!registry.isTrusted)
        #expect(throws: SQLiteError.self) { try registry.items.counts() }
    }

    @Test func o28_aProcessThatFoundAnUnusualRowLeavesNoMark() throws {
        let registry = try open()
        try change(registry, "UPDATE items SET state = 'unheard' WHERE id = 1")
        registry.close()
        try useOnce()
        #expect(try !open().isTrusted)
    }

    @Test(arguments: [8, -1])
    func o28_aMarkIsValidForSomeDays(days: Int) throws {
        try useOnce()
        try damage()
        try expectCheck(now: Date(timeIntervalSinceNow: Double(days) * 24 * 3_600))
    }

    @Test func o28_aReaderPreventsTheMarkAndIsNotWaitedFor() throws {
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        let registry = try open()
        _ = try registry.items.counts()
        try reader.snapshot { () throws(SQLiteError) in
            _ = try reader.userVersion
            try registry.remove(ItemID(rawValue: 1))
            registry.leaveWhole()
        }
        registry.close()
        #expect(try !open().isTrusted)
    }

    @Test func o30_aReleasedLibraryLeavesTheMark() throws {
        let folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path + "/library")
        for isTrusted in [false, true] {
            let library = try Library(LibraryConfiguration(directory: directory))
            #expect(try library.journal.registry.isTrusted == isTrusted)
        }
    }

    @Test func o30_aStoppedLibraryLeavesTheMark() async throws {
        let filled = try FilledLibrary()
        let directory = filled.library.directory
        try filled.add("a.txt")
        await filled.library.stop()
        let registry = try Registry(path: directory.registry)
        #expect(registry.isTrusted)
        #expect(try registry.items.counts() == ItemCounts(try registry.items.items()))
    }
}
