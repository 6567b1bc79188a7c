// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsSQLite

@Suite(.timeLimit(.minutes(15)))
struct SQLiteMaintenanceTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("registry.sqlite")
    }

    private func makeConnection() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT)")
        try connection.execute("INSERT INTO item (title) VALUES ('a')")
        try connection.setUserVersion(3)
        return connection
    }

    @Test func aClosedConnectionIgnoresTheChoiceOfItsLog() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        connection.close()
        connection.keepsLog = true
        #expect(throws: SQLiteError.self) { try connection.userVersion }
    }

    @Test func aCopyHasTheContentAndTheVersion() throws {
        let connection = try makeConnection()
        let target = folder.file("copy.sqlite")
        try connection.writeCopy(to: target)
        let copy = try SQLiteConnection(path: target, mode: .readOnly)
        #expect(try copy.userVersion == 3)
        let titles = try copy.rows("SELECT title FROM item") { row throws(SQLiteError) in
            try row.text("title")
        }
        #expect(titles == ["a"])
        #expect(throws: SQLiteError.self) { try connection.writeCopy(to: target) }
    }

    @Test func anOverwrittenPageIsAFault() throws {
        let connection = try makeConnection()
        #expect(try connection.firstFault() == nil)
        connection.close()
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0x5a, count: 4_096))
        try file.close()
        let damaged = try SQLiteConnection(path: path, mode: .readWriteCreate)
        let fault: String?
        do throws(SQLiteError) {
            fault = try damaged.firstFault()
        } catch {
            fault = error.code == .corrupt ? error.message : nil
        }
        #expect(fault != nil)
    }

    @Test func aSnapshotExcludesLaterChanges() throws {
        let connection = try makeConnection()
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        try reader.snapshot { () throws(SQLiteError) in
            #expect(try reader.userVersion == 3)
            try connection.setUserVersion(4)
            try connection.execute("CREATE TABLE other (id INTEGER)")
            #expect(try reader.userVersion == 3)
            #expect(try reader.columnsByTable() == ["item": ["id", "title"]])
        }
        #expect(try reader.userVersion == 4)
        #expect(!reader.isInTransaction)
    }
}
