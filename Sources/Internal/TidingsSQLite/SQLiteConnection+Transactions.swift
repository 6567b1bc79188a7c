// SPDX-License-Identifier: Apache-2.0

extension SQLiteConnection {
    /// Runs `body` in a transaction, which makes all of its changes or none.
    ///
    /// It acquires the write lock first, and so waits for another writer before `body` and not
    /// during it. An error of `body` or of the commit rolls back all changes and is rethrown.
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
            // SQLite itself has already rolled back after some errors, such as a full disk.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` in a transaction whose commit does not wait for the disk.
    ///
    /// The change survives a kill of the process, and is lost at most in a power cut; the next
    /// synced commit writes it, too. It costs a small part of the time of a synced one.
    ///
    /// - Throws: As `transaction`.
    package func unsyncedTransaction<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        try transaction(isSynced: false, body)
    }

    /// Runs `body` on one state of the database, which other connections cannot change meanwhile.
    ///
    /// - Throws: `.misuse` inside another transaction.
    package func snapshot<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        try execute("BEGIN")
        // Nothing has changed, so a failure to end has no effect either.
        defer { try? execute("ROLLBACK") }
        return try body()
    }

    /// The version of the schema, which the program stores in the file; 0 in a new file.
    package var userVersion: Int {
        get throws(SQLiteError) {
            let sql = "PRAGMA user_version"
            let versions = try rows(sql) { row throws(SQLiteError) in try row.int("user_version") }
            return versions.first ?? 0
        }
    }

    /// Sets `userVersion`; a rollback of the current transaction undoes the change.
    package func setUserVersion(_ version: Int) throws(SQLiteError) {
        guard let number = Int32(exactly: version) else {
            throw SQLiteError(.misuse, "The schema version \(version) does not fit in 32 bits.")
        }
        try execute("PRAGMA user_version = \(number)")
    }
}
