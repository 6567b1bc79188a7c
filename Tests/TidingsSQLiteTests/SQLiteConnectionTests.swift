// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsSQLite

@Suite(.timeLimit(.minutes(15)))
struct SQLiteConnectionTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("registry.sqlite")
    }

    private func makeConnection(
        _ mode: SQLiteConnection.Mode = .readWriteCreate
    ) throws -> SQLiteConnection {
        try SQLiteConnection(path: path, mode: mode, busyTimeout: .zero)
    }

    private func makeItems() throws -> SQLiteConnection {
        let connection = try makeConnection()
        try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT UNIQUE)")
        return connection
    }

    private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SQLiteError)?.code
        }
    }

    private func syncs(_ connection: SQLiteConnection) throws -> Int? {
        try connection.rows("PRAGMA synchronous") { row throws(SQLiteError) in
            try row.int("synchronous")
        }.first
    }

    @Test func o31_onlyAnUnsyncedTransactionDoesNotWaitForTheDisk() throws {
        let connection = try makeConnection()
        try connection.execute("CREATE TABLE t (a)")
        let insert = "INSERT INTO t VALUES (1)"
        // There are two rounds, because the second round finds the statements in the cache.
        for _ in 0..<2 {
            for isFailing in [false, true] {
                let failed = code {
                    try connection.unsyncedTransaction { () throws(SQLiteError) in
                        try connection.execute(isFailing ? "INSERT INTO t VALUES (1, 2)" : insert)
                        #expect((try? syncs(connection)) == 1)
                    }
                }
                #expect((failed != nil) == isFailing)
            }
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(insert)
                #expect((try? syncs(connection)) == 2)
            }
        }
        let rows = try connection.rows("SELECT a FROM t") { row throws(SQLiteError) in
            try row.int("a")
        }
        #expect(rows == [1, 1, 1, 1])
    }

    @Test(arguments: ["INSERT INTO t VALUES (1)", "DELETE FROM t RETURNING a"])
    func o31_aStatementBehindAnUnsyncedTransactionIsSynced(sql: String) throws {
        let connection = try makeConnection()
        try connection.execute("CREATE TABLE t (a)")
        try connection.unsyncedTransaction { () throws(SQLiteError) in
            try connection.execute("INSERT INTO t VALUES (1)")
        }
        #expect(try syncs(connection) == 1)
        _ = try connection.rows(sql) { _ throws(SQLiteError) in 0 }
        #expect(try syncs(connection) == 2)
    }

    @Test func everyValueIsReadAsItWasStored() throws {
        let connection = try makeConnection()
        try connection.execute("CREATE TABLE v (i, r, t, b, e, n, x)")
        try connection.execute(
            "INSERT INTO v VALUES (?, ?, ?, ?, ?, ?, ?)",
            .integer(.max),
            .real(0.1),
            .text("a\0ü' --"),
            .blob([0, 255]),
            .blob([]),
            nil,
            .text("")
        )
        let rows = try connection.rows("SELECT * FROM v") { row throws(SQLiteError) in
            [
                try row.value("i"), try row.value("r"), try row.value("t"), try row.value("b"),
                try row.value("e"), try row.value("n"), try row.value("x"),
            ]
        }
        #expect(
            rows == [
                [
                    .integer(.max), .real(0.1), .text("a\0ü' --"), .blob([0, 255]), .blob([]),
                    .null, .text(""),
                ]
            ]
        )
    }

    @Test func commitsAreSyncedAndForeignKeysHold() throws {
        let connection = try makeConnection()
        let pragmas = ["journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"]
        for (name, expected) in pragmas {
            let values = try connection.rows("PRAGMA \(name)") { row throws(SQLiteError) in
                try row.value(name)
            }
            let found = values.map { if case .integer(let n) = $0 { "\(n)" } else { "wal" } }
            #expect(found == [expected], "\(name)")
        }
    }

    @Test func aFailedTransactionChangesNothing() throws {
        let connection = try makeItems()
        let failure = code {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute("INSERT INTO item (title) VALUES ('a')")
                try connection.setUserVersion(7)
                try connection.execute("INSERT INTO item (title) VALUES ('a')")
            }
        }
        #expect(failure == .constraint)
        #expect(!connection.isInTransaction)
        #expect(try count(connection) == 0)
        #expect(try connection.userVersion == 0)
    }

    @Test func aTransactionReturnsItsResultAndCounts() throws {
        let connection = try makeItems()
        let row = try connection.transaction { () throws(SQLiteError) in
            try connection.execute("INSERT INTO item (title) VALUES (?)", "a")
            try connection.setUserVersion(3)
            return connection.lastInsertedRow
        }
        try connection.execute("UPDATE item SET title = ? WHERE id = ?", "b", .integer(row))
        #expect(connection.changes == 1)
        #expect(try connection.userVersion == 3)
        #expect(
            code {
                try connection.transaction { () throws(SQLiteError) in
                    try connection.transaction { () throws(SQLiteError) in }
                }
            } == .misuse
        )
    }

    @Test func theSameStatementCanRunWithinItself() throws {
        let connection = try makeItems()
        for title in ["a", "b"] {
            try connection.execute("INSERT INTO item (title) VALUES (?)", .text(title))
        }
        let sql = "SELECT title FROM item ORDER BY id"
        let pairs = try connection.rows(sql) { row throws(SQLiteError) in
            let inner = try connection.rows(sql) { row throws(SQLiteError) in
                try row.text("title")
            }
            return try row.text("title") + inner.joined()
        }
        #expect(pairs == ["aab", "bab"])
    }

    @Test func misuseThrows() throws {
        let connection = try makeItems()
        #expect(code { try connection.execute("SELECT 1; SELECT 2") } == .misuse)
        #expect(code { try connection.execute("SELEKT 1") } == .misuse)
        #expect(code { try connection.execute("  ") } == .misuse)
        #expect(code { try connection.execute("SELECT ?") } == .misuse)
        #expect(code { try connection.execute("SELECT 1", 1) } == .misuse)
        connection.close()
        #expect(code { try connection.execute("SELECT 1") } == .misuse)
    }

    @Test func aValueOfADifferentTypeIsCorrupt() throws {
        let connection = try makeConnection()
        let sql = "SELECT 'x' AS a, NULL AS b, CAST(x'ff' AS TEXT) AS c"
        _ = try connection.rows(sql) { row throws(SQLiteError) in
            #expect(code { _ = try row.int("a") } == .corrupt)
            #expect(code { _ = try row.text("b") } == .corrupt)
            #expect(code { _ = try row.text("c") } == .corrupt)
            #expect(code { _ = try row.text("d") } == .misuse)
        }
    }

    @Test func aRowUsedAfterItsQueryIsRejected() throws {
        let connection = try makeConnection()
        let kept = try connection.rows("SELECT 1 AS a") { row throws(SQLiteError) in row }
        #expect(code { _ = try kept[0].int("a") } == .misuse)
    }

    @Test func aFileThatIsNotADatabaseIsRejectedAndKept() throws {
        let text = String(repeating: "<html>not a database</html>", count: 100)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        for mode in [SQLiteConnection.Mode.readWriteCreate, .readOnly] {
            #expect(code { _ = try makeConnection(mode) } == .corrupt)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func anIncompleteFileIsCorrupt() throws {
        let connection = try makeItems()
        try connection.transaction { () throws(SQLiteError) in
            for number in 0..<500 {
                let title = "\(number)" + String(repeating: "x", count: 100)
                try connection.execute("INSERT INTO item (title) VALUES (?)", .text(title))
            }
        }
        connection.close()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: 3 * 4096 + 100)
        try file.close()
        let failure = code {
            let torn = try makeConnection()
            _ = try torn.rows("SELECT title FROM item") { row throws(SQLiteError) in
                try row.text("title")
            }
        }
        #expect(failure == .corrupt)
    }

    @Test func aFullDatabaseKeepsItsRowsAndContinuesWithSpace() throws {
        let connection = try makeItems()
        try connection.execute("PRAGMA max_page_count = 20")
        let failure = code {
            try connection.transaction { () throws(SQLiteError) in
                for number in 0..<1000 {
                    let title = "\(number)" + String(repeating: "x", count: 1000)
                    try connection.execute("INSERT INTO item (title) VALUES (?)", .text(title))
                }
            }
        }
        #expect(failure == .full)
        #expect(!connection.isInTransaction)
        #expect(try count(connection) == 0)
        try connection.execute("INSERT INTO item (title) VALUES ('small')")
        #expect(try count(connection) == 1)
    }

    @Test func anUnwritableFolderFailsAtOnce() {
        #expect(
            code {
                _ = try SQLiteConnection(path: "/proc/registry.sqlite", mode: .readWriteCreate)
            } == .inputOutput
        )
        #expect(code { _ = try makeConnection(.readOnly) } == .inputOutput)
    }

    @Test func aReaderReadsCommitsBesideTheWriterAndCannotWrite() throws {
        let writer = try makeItems()
        let reader = try makeConnection(.readOnly)
        try writer.transaction { () throws(SQLiteError) in
            try writer.execute("INSERT INTO item (title) VALUES ('a')")
            #expect((try? count(reader)) == 0)
        }
        #expect(try count(reader) == 1)
        #expect(code { try reader.execute("DELETE FROM item") } == .readOnly)
    }

    @Test func aSecondWriterIsBusy() throws {
        let first = try makeItems()
        let second = try makeConnection()
        try first.transaction { () throws(SQLiteError) in
            #expect(
                code {
                    try second.transaction { () throws(SQLiteError) in }
                } == .busy
            )
        }
        try second.execute("INSERT INTO item (title) VALUES ('b')")
        #expect(try count(first) == 1)
    }

    private func count(_ connection: SQLiteConnection) throws -> Int {
        let counts = try connection.rows("SELECT COUNT(*) AS n FROM item") {
            row throws(SQLiteError) in try row.int("n")
        }
        return try #require(counts.first)
    }
}
