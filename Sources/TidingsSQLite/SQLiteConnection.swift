import CTidingsSQLite
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// One connection to a database file.
///
/// Writes are durable when they return: the journal is a WAL and every commit is synced. A reader
/// beside the writer sees the last commit and blocks nobody. Not Sendable: its owner keeps it in a
/// `Lock`. The file closes when the last reference is gone, or at `close()`.
package final class SQLiteConnection {
    /// How a file is opened.
    package enum Mode: Hashable, Sendable {
        /// Reads and writes; makes the file if there is none.
        case readWriteCreate
        /// Only reads, beside a writer if there is one; the file must exist.
        case readOnly
    }

    /// More distinct statements than a program of this size has; past it the cache starts anew.
    private static let cacheLimit = 128

    /// The file's path, as given.
    package let path: String
    private var database: OpaquePointer?
    private var cache: [String: SQLiteStatement] = [:]

    /// Opens the file and checks that it is a database.
    ///
    /// - Parameters:
    ///   - path: The file. It is never taken as a URI. `:memory:` is a database without a file.
    ///   - mode: Whether to write.
    ///   - busyTimeout: How long a statement waits for another connection's lock before `.busy`.
    /// - Throws: `.corrupt` for a file that is no database, `.inputOutput` for one out of reach.
    package init(
        path: String,
        mode: Mode,
        busyTimeout: Duration = .seconds(5)
    ) throws(SQLiteError) {
        self.path = path
        let access =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        // A name that begins with "file:" could be taken as a URI by some builds of the library.
        let name = path.hasPrefix("file:") ? "./\(path)" : path
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(name, &database, flags, nil)
        guard result == SQLITE_OK else {
            let error = SQLiteError(result: result, database: database, path: path)
            sqlite3_close_v2(database)
            database = nil
            throw error
        }
        let milliseconds = min(max(busyTimeout / .milliseconds(1), 0), 1e9)
        sqlite3_busy_timeout(database, Int32(milliseconds))
        do throws(SQLiteError) {
            try configure(mode)
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Closes the file.
    ///
    /// Later calls throw `.misuse`. Closing twice is harmless.
    package func close() {
        cache = [:]
        sqlite3_close_v2(database)
        database = nil
    }

    /// Runs one statement to its end; rows it yields are dropped.
    package func execute(_ sql: String, _ values: SQLiteValue?...) throws(SQLiteError) {
        try execute(sql, values: values)
    }

    /// Runs one statement to its end; rows it yields are dropped.
    package func execute(_ sql: String, values: [SQLiteValue?]) throws(SQLiteError) {
        let statement = try takeStatement(sql)
        defer { putBack(statement) }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Runs a query and returns what `map` makes of each row, in the query's order.
    package func rows<T>(
        _ sql: String,
        _ values: SQLiteValue?...,
        map: (SQLiteRow) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> [T] {
        try rows(sql, values: values, map: map)
    }

    /// Runs a query and returns what `map` makes of each row, in the query's order.
    ///
    /// `map` may use the connection; an error of it ends the query and is thrown on.
    package func rows<T>(
        _ sql: String,
        values: [SQLiteValue?],
        map: (SQLiteRow) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> [T] {
        let statement = try takeStatement(sql)
        let row = SQLiteRow(statement)
        defer {
            row.invalidate()
            putBack(statement)
        }
        try statement.bind(values)
        var results: [T] = []
        while try statement.step() {
            results.append(try map(row))
        }
        return results
    }

    /// The number of rows the last INSERT, UPDATE or DELETE changed.
    package var changes: Int {
        database.map { Int(sqlite3_changes64($0)) } ?? 0
    }

    /// The row number the last INSERT gave out.
    package var lastInsertedRow: Int {
        database.map { Int(sqlite3_last_insert_rowid($0)) } ?? 0
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        database.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// A statement in use is out of the cache, so that a nested use of its text gets another one.
    private func takeStatement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        guard let database else {
            throw SQLiteError(.misuse, "The database \(path) is closed.")
        }
        if let statement = cache.removeValue(forKey: sql) { return statement }
        return try SQLiteStatement(sql, database: database, path: path)
    }

    private func putBack(_ statement: SQLiteStatement) {
        statement.reset()
        guard database != nil else { return }
        if cache.count >= Self.cacheLimit { cache = [:] }
        cache[statement.sql] = statement
    }

    private func configure(_ mode: Mode) throws(SQLiteError) {
        tidings_sqlite_make_defensive(database)
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA cell_size_check = ON")
        switch mode {
        case .readOnly:
            // The first read is what tells a database from any other file.
            try execute("PRAGMA schema_version")
        case .readWriteCreate:
            try execute("PRAGMA synchronous = FULL")
            let sql = "PRAGMA journal_mode = WAL"
            let journal = try rows(sql) { row throws(SQLiteError) in try row.text("journal_mode") }
            guard journal == ["wal"] || path == ":memory:" else {
                throw SQLiteError(
                    .inputOutput,
                    "The folder of \(path) cannot hold a database with a write-ahead log; "
                        + "use a folder on a local disk."
                )
            }
        }
    }
}
