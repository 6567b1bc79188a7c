// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles
import TidingsLock
import TidingsSQLite

@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct MigratorTests {
    private let folder: TemporaryFolder
    private let path: String
    private let files: RegistryFiles

    private static let first = Migration([
        "CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT)"
    ])
    private static let second = Migration(["ALTER TABLE items ADD COLUMN title TEXT"])
    private static let third = Migration([
        "UPDATE items SET title = 'film ' || id", "CREATE TABLE parts (item INTEGER)",
    ])
    private static let failing = Migration { connection throws(SQLiteError) in
        try third.change(connection)
        throw SQLiteError(.full, "The disk is full.")
    }

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/registry.sqlite"
        files = RegistryFiles(path)
    }

    private func open(
        _ migrations: Migration...,
        mode: SQLiteConnection.Mode = .readWriteCreate
    ) throws(SQLiteError) -> Registry {
        try Registry(path: path, mode: mode, migrations: migrations, lastNumber: { 7 })
    }

    /// Creates a registry of the first version with one item.
    private func create() throws {
        let registry = try open(Self.first)
        try registry.connection.withLock { try $0.execute("INSERT INTO items DEFAULT VALUES") }
        registry.close()
    }

    private func titles(_ registry: Registry) throws -> [String?] {
        try registry.connection.withLock { connection in
            try connection.rows("SELECT title FROM items") { row throws(SQLiteError) in
                try row.optionalText("title")
            }
        }
    }

    private func version(of path: String) throws -> Int {
        try SQLiteConnection(path: path, mode: .readOnly).userVersion
    }

    @Test func o28_theStepsAfterTheFoundVersionRunInOrder() throws {
        try create()
        let registry = try open(Self.first, Self.second, Self.third)
        #expect(try titles(registry) == ["film 8"])
        #expect(!registry.isNew)
        registry.close()
        #expect(try version(of: path) == 3)
        // A step that ran twice would fail, because the table of the step exists.
        #expect(try titles(open(Self.first, Self.second, Self.third)) == ["film 8"])
    }

    @Test func o28_aCopyLeavesNoJournal() throws {
        try create()
        let journal = files.copy(ofVersion: 1) + ".part-journal"
        try Data("left by a full disk".utf8).write(to: URL(filePath: journal))
        _ = try open(Self.first, Self.second)
        #expect(!SystemFile.exists(journal))
        #expect(try version(of: files.copy(ofVersion: 1)) == 1)
    }

    @Test func o28_aStepThatARowMakesImpossibleIsADamage() throws {
        try create()
        let refused = Migration(["INSERT INTO items (id) VALUES (8)"])
        let error = #expect(throws: SQLiteError.self) { try open(Self.first, refused) }
        #expect(error?.code == .corrupt)
        #expect((error?.cause as? SQLiteError)?.code == .constraint)
    }

    @Test func o28_aFailedStepChangesNothingAndTheNextOpeningContinues() throws {
        try create()
        let error = #expect(throws: SQLiteError.self) {
            try open(Self.first, Self.second, Self.failing)
        }
        #expect(error?.code == .migration)
        #expect((error?.cause as? SQLiteError)?.code == .full)
        #expect(error?.message.contains(files.copy(ofVersion: 1)) == true)
        #expect(try version(of: path) == 2)
        let kept = try open(Self.first, Self.second)
        #expect(try titles(kept) == [nil])
        kept.close()
        #expect(try titles(open(Self.first, Self.second, Self.third)) == ["film 8"])
        #expect(try version(of: files.copy(ofVersion: 2)) == 2)
    }

    @Test func o28_aCopyOfTheEarlierVersionIsKept() throws {
        let copy = files.copy(ofVersion: 1)
        try create()
        #expect(!SystemFile.exists(copy))
        try Data("an older copy, and a part of one".utf8).write(to: URL(filePath: copy))
        try Data("part".utf8).write(to: URL(filePath: copy + ".part"))
        try open(Self.first, Self.second).close()
        var status = stat()
        #expect(stat(copy, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(!SystemFile.exists(copy + ".part"))
        let old = try Registry(
            path: copy,
            mode: .readOnly,
            migrations: [Self.first],
            lastNumber: { 0 }
        )
        let count = try old.connection.withLock { connection in
            try connection.rows("SELECT id FROM items") { row throws(SQLiteError) in
                try row.int("id")
            }
        }
        #expect(count == [8])
    }

    @Test func o28_withoutACopyNothingChanges() throws {
        try create()
        // This folder prevents the creation of a file at the same path.
        let part = files.copy(ofVersion: 1) + ".part"
        try SystemFile.makeFolder(part + "/folder")
        let error = #expect(throws: SQLiteError.self) { try open(Self.first, Self.second) }
        #expect(error?.code == .migration)
        #expect(error?.message.contains("nothing was changed") == true)
        #expect(try version(of: path) == 1)
        #expect(SystemFile.exists(part))
    }

    @Test func o28_aNewRegistryHasAllTablesOrNone() throws {
        #expect(throws: SQLiteError.self) { try open(Self.first, Self.second, Self.failing) }
        #expect(try version(of: path) == 0)
        let registry = try open(Self.first, Self.second, Self.third)
        #expect(registry.isNew)
        registry.close()
        #expect(SystemFile.names(in: folder.path) == ["registry.sqlite"])
    }

    @Test func o28_aReaderNeitherMigratesNorFailsWithoutAReason() throws {
        try create()
        let error = #expect(throws: SQLiteError.self) {
            try open(Self.first, Self.second, mode: .readOnly)
        }
        #expect(error?.code == .olderSchema)
        #expect(try version(of: path) == 1)
    }

    @Test(arguments: ["DROP TABLE parts", "ALTER TABLE items DROP COLUMN title"])
    func o28_aMissingTableOrColumnIsADamage(_ change: String) throws {
        let registry = try open(Self.first, Self.second, Self.third)
        try registry.connection.withLock { try $0.execute(change) }
        registry.close()
        for mode in [SQLiteConnection.Mode.readWriteCreate, .readOnly] {
            let error = #expect(throws: SQLiteError.self) {
                try open(Self.first, Self.second, Self.third, mode: mode)
            }
            #expect(error?.code == .corrupt)
        }
    }

    @Test(arguments: [0, -1])
    func o28_tablesWithoutAVersionAreADamage(_ version: Int) throws {
        try create()
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.setUserVersion(version)
        let error = #expect(throws: SQLiteError.self) { try open(Self.first) }
        #expect(error?.code == .corrupt)
    }

    @Test func o28_aDamageDuringTheMigrationIsADamage() throws {
        try create()
        let damaged = Migration { _ throws(SQLiteError) in throw SQLiteError(.corrupt, "Torn.") }
        let error = #expect(throws: SQLiteError.self) { try open(Self.first, damaged) }
        #expect(error?.code == .corrupt)
    }
}
