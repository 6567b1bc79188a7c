// SPDX-License-Identifier: Apache-2.0

extension SQLiteConnection {
    /// Runs `body` in a transaction, which makes all changes of `body` or none.
    ///
    /// The transaction acquires the write lock first, and therefore waits for another writer before
    /// `body` and not during `body`. An error of `body` or of the commit rolls back all changes and
    /// is rethrown.
    ///
    /// - Throws: `.misuse` inside another transaction.
    package func transaction<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        try transaction(isSynced: true, body)
    }

    private func transaction<T>(
        isSynced: Bool,
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "A transaction on \(path) is already open.")
        }
        try setSynced(isSynced)
        try control("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite has already rolled back after some errors, such as a full disk.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` in a transaction whose commit does not wait for the disk.
    ///
    /// The change survives a kill of the process, and only a power cut can lose the change. The
    /// next synced commit also writes the change to the disk. An unsynced commit takes a small part
    /// of the time of a synced one.
    ///
    /// - Throws: The same errors as `transaction`.
    package func unsyncedTransaction<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        try transaction(isSynced: false, body)
    }

    /// Runs `body` on one state of the database, which other connections cannot change during
    /// `body`.
    ///
    /// - Throws: `.misuse` inside another transaction.
    package func snapshot<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        try execute("BEGIN")
        // Nothing has changed, so a failed rollback has no effect.
        defer { try? execute("ROLLBACK") }
        return try body()
    }

    /// The version of the schema, which the program stores in the file.
    ///
    /// A new file has version 0.
    package var userVersion: Int {
        get throws(SQLiteError) {
            let sql = "PRAGMA user_version"
            let versions = try rows(sql) { row throws(SQLiteError) in try row.int("user_version") }
            return versions.first ?? 0
        }
    }

    /// Sets `userVersion`.
    ///
    /// A rollback of the current transaction undoes the change.
    package func setUserVersion(_ version: Int) throws(SQLiteError) {
        guard let number = Int32(exactly: version) else {
            throw SQLiteError(.misuse, "The schema version \(version) does not fit in 32 bits.")
        }
        try execute("PRAGMA user_version = \(number)")
    }
}
