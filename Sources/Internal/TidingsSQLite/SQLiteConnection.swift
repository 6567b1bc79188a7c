// SPDX-License-Identifier: Apache-2.0
import CTidingsSQLite

/// A connection to a database file.
///
/// Writes are durable when the call returns. The journal is a WAL, and every commit is synced,
/// except the commit of an `unsyncedTransaction`. A reader reads the last commit while another
/// connection writes, and blocks no other connection. The class is not Sendable, so the owner
/// stores the connection in a `Lock`. `close()` or the release of the last reference closes the
/// file.
package final class SQLiteConnection {
    /// The access to the file.
    package enum Mode: Hashable, Sendable {
        /// Reads and writes, and creates a missing file.
        case readWriteCreate
        /// Only reads, even while another connection writes. The file must exist.
        case readOnly
    }

    /// The number of statements at which the cache is cleared, which is more than the program has.
    private static let cacheLimit = 128

    /// The path that was passed to `init`.
    package let path: String
    private var database: OpaquePointer?
    private var cache: [String: SQLiteStatement] = [:]
    /// Whether commits are synced now.
    ///
    /// The setting changes as late as possible, because SQLite then prepares all statements again.
    private var isSynced = true
    /// Whether a statement or a row has shown that the file is damaged.
    package private(set) var hasFoundDamage = false

    /// Whether the close leaves the write-ahead log unmerged beside the file.
    ///
    /// A change after the close has no effect.
    package var keepsLog: Bool {
        didSet {
            if let database { tidings_sqlite_keep_log(database, keepsLog ? 1 : 0) }
        }
    }

    /// Opens the file and checks that the file is a database.
    ///
    /// - Parameters:
    ///   - path: The path of the file, never interpreted as a URI. `:memory:` is a database without
    ///     a file.
    ///   - mode: The access to the file.
    ///   - busyTimeout: The maximum wait of a statement for another connection's lock. After that
    ///     the statement throws `.busy`.
    ///   - keepsLog: Whether the close leaves the log unmerged, even after a failure of `init`.
    /// - Throws: `.corrupt` for a file that is not a database, `.inputOutput` for a file that
    ///   cannot be opened.
    package init(
        path: String,
        mode: Mode,
        busyTimeout: Duration = .seconds(5),
        keepsLog: Bool = false
    ) throws(SQLiteError) {
        self.path = path
        self.keepsLog = keepsLog
        let access =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        // Some builds of the library interpret a name that starts with "file:" as a URI.
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
    /// Later calls throw `.misuse`. A second close has no effect.
    package func close() {
        cache = [:]
        sqlite3_close_v2(database)
        database = nil
    }

    /// Runs one statement to the end and ignores the rows.
    package func execute(_ sql: String, _ values: SQLiteValue?...) throws(SQLiteError) {
        try execute(sql, values: values)
    }

    /// Runs one statement to the end and ignores the rows.
    ///
    /// - Throws: `.misuse` unless there is one value for each parameter.
    package func execute(_ sql: String, values: [SQLiteValue?]) throws(SQLiteError) {
        try noteDamage { () throws(SQLiteError) in
            let statement = try acquireStatement(sql)
            defer { releaseStatement(statement) }
            try syncBefore(statement)
            try statement.bind(values)
            while try statement.step() {}
        }
    }

    /// Runs a query and returns the results of `map` for the rows, in the query's order.
    package func rows<T>(
        _ sql: String,
        _ values: SQLiteValue?...,
        map: (SQLiteRow) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> [T] {
        try rows(sql, values: values, map: map)
    }

    /// Runs a query and returns the results of `map` for the rows, in the query's order.
    ///
    /// `map` may use the connection. An error of `map` ends the query and is rethrown.
    package func rows<T>(
        _ sql: String,
        values: [SQLiteValue?],
        map: (SQLiteRow) throws(SQLiteError) -> T
    ) throws(SQLiteError) -> [T] {
        try noteDamage { () throws(SQLiteError) in
            let statement = try acquireStatement(sql)
            let row = SQLiteRow(statement)
            defer {
                row.invalidate()
                releaseStatement(statement)
            }
            try syncBefore(statement)
            try statement.bind(values)
            var results: [T] = []
            while try statement.step() {
                results.append(try map(row))
            }
            return results
        }
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int {
        database.map { Int(sqlite3_changes64($0)) } ?? 0
    }

    /// The row number of the last INSERT.
    package var lastInsertedRow: Int {
        database.map { Int(sqlite3_last_insert_rowid($0)) } ?? 0
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        database.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// Restores synced commits before a statement that commits without an explicit transaction.
    private func syncBefore(_ statement: SQLiteStatement) throws(SQLiteError) {
        if !isSynced, !isInTransaction, !statement.isReadOnly { try setSynced(true) }
    }

    /// Sets whether the next commits wait for the disk.
    func setSynced(_ newValue: Bool) throws(SQLiteError) {
        guard newValue != isSynced else { return }
        try control("PRAGMA synchronous = \(newValue ? "FULL" : "NORMAL")")
        isSynced = newValue
    }

    /// Runs a statement without first restoring synced commits.
    func control(_ sql: String) throws(SQLiteError) {
        try noteDamage { () throws(SQLiteError) in
            let statement = try acquireStatement(sql)
            defer { releaseStatement(statement) }
            while try statement.step() {}
        }
    }

    private func noteDamage<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        do throws(SQLiteError) {
            return try body()
        } catch {
            if error.code == .corrupt { hasFoundDamage = true }
            throw error
        }
    }

    /// Removes a statement from the cache, or prepares one.
    ///
    /// A statement in use is not in the cache, so that a nested use of the same text gets another
    /// statement.
    private func acquireStatement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        guard let database else {
            throw SQLiteError(.misuse, "The database \(path) is closed.")
        }
        if let statement = cache.removeValue(forKey: sql) { return statement }
        return try SQLiteStatement(sql, database: database, path: path)
    }

    private func releaseStatement(_ statement: SQLiteStatement) {
        statement.reset()
        guard database != nil else { return }
        if cache.count >= Self.cacheLimit { cache = [:] }
        cache[statement.sql] = statement
    }

    private func configure(_ mode: Mode) throws(SQLiteError) {
        tidings_sqlite_make_defensive(database)
        tidings_sqlite_keep_log(database, keepsLog ? 1 : 0)
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA cell_size_check = ON")
        switch mode {
        case .readOnly:
            // The first read detects a file that is not a database.
            try execute("PRAGMA schema_version")
        case .readWriteCreate:
            try execute("PRAGMA synchronous = FULL")
            let sql = "PRAGMA journal_mode = WAL"
            let journal = try rows(sql) { row throws(SQLiteError) in try row.text("journal_mode") }
            guard journal == ["wal"] || path == ":memory:" else {
                throw SQLiteError(
                    .inputOutput,
                    "The folder of \(path) does not support a write-ahead log. "
                        + "Use a folder on a local disk."
                )
            }
        }
    }
}
