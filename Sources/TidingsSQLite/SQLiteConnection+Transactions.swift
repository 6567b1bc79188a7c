// SPDX-License-Identifier: Apache-2.0
import Tidings

extension SQLiteConnection {
    /// Runs `body` so that all of its changes are made, or none.
    ///
    /// Takes the write lock at once, so it waits for another writer before `body` and not in its
    /// middle. Any error, of `body` or of the commit, undoes everything and is thrown on. Must not be
    /// nested: `.misuse`.
    package func transaction<T>(
        _ body: () throws(SQLiteError) -> T
    ) throws(SQLiteError) -> T {
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "A transaction on \(path) is already open.")
        }
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // A full disk or a failed read has already undone it; then there is nothing to roll back.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The number the program keeps in the file to tell its schema's version; 0 in a new file.
    package var userVersion: Int {
        get throws(SQLiteError) {
            let sql = "PRAGMA user_version"
            let versions = try rows(sql) { row throws(SQLiteError) in try row.int("user_version") }
            return versions.first ?? 0
        }
    }

    /// Sets `userVersion`; inside a transaction it is undone with it.
    package func setUserVersion(_ version: Int) throws(SQLiteError) {
        guard let number = Int32(exactly: version) else {
            throw SQLiteError(.misuse, "A schema version has 32 bits; \(version) has more.")
        }
        try execute("PRAGMA user_version = \(number)")
    }
}
