// SPDX-License-Identifier: Apache-2.0

extension SQLiteConnection {
    /// Returns the first fault in the structure of the file, or nil if the file is intact.
    ///
    /// The check reads the whole file, but compares no index with the index's table.
    ///
    /// - Throws: `.corrupt` if the fault prevents the check.
    package func firstFault() throws(SQLiteError) -> String? {
        let sql = "PRAGMA quick_check(1)"
        let results = try rows(sql) { row throws(SQLiteError) in try row.text("quick_check") }
        return results.first { $0 != "ok" }
    }

    /// Moves the whole write-ahead log into the file, and syncs the file.
    ///
    /// - Returns: Whether the log was moved. Another connection that reads the log prevents the
    ///   move, and this function does not wait for that connection.
    package func mergeLog() throws(SQLiteError) -> Bool {
        let timeouts = try rows("PRAGMA busy_timeout") { row throws(SQLiteError) in
            try row.int("timeout")
        }
        try execute("PRAGMA busy_timeout = 0")
        defer { try? execute("PRAGMA busy_timeout = \(timeouts.first ?? 0)") }
        let results = try rows("PRAGMA wal_checkpoint(TRUNCATE)") { row throws(SQLiteError) in
            try row.int("busy")
        }
        return results == [0]
    }

    /// Writes a consistent copy of the database to a file that is missing or empty.
    ///
    /// The copy is one file without a log and has the same `userVersion`. The copy is not synced,
    /// and a part of the copy can remain after a failure.
    ///
    /// - Throws: `.full` if the disk has no room for the copy.
    package func writeCopy(to path: String) throws(SQLiteError) {
        try execute("VACUUM INTO ?", .text(path))
    }

    /// Returns the statements that created the triggers and views.
    package func triggers() throws(SQLiteError) -> Set<String> {
        let sql = "SELECT sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
        return Set(try rows(sql) { row throws(SQLiteError) in try row.text("sql") })
    }

    /// Allows the triggers of the file to use functions and virtual tables, such as an index of
    /// words.
    ///
    /// Call this function only if the program has written the triggers.
    package func trustSchema() throws(SQLiteError) {
        try execute("PRAGMA trusted_schema = ON")
    }

    /// Returns the names of the columns of each table.
    package func columnsByTable() throws(SQLiteError) -> [String: Set<String>] {
        let sql = """
            SELECT tables.name AS table_name, columns.name AS column_name
            FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table'
            """
        let pairs = try rows(sql) { row throws(SQLiteError) in
            (table: try row.text("table_name"), column: try row.text("column_name"))
        }
        return pairs.reduce(into: [:]) { $0[$1.table, default: []].insert($1.column) }
    }
}
