// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
import TidingsLock
package import TidingsSQLite

/// The database of the library: the items, their parts and the preferences in one SQLite file.
///
/// Each method is one committed transaction. After a method returns, the change survives a kill and
/// a power cut. The registry is safe from any thread. A call blocks until the disk has committed.
///
/// A holder of the registry can change items. In a running library, the journal of OfflineDownloads
/// is the only holder, and passes on the types that read, and the records that no message contains.
package final class Registry: Sendable {
    let connection: Lock<SQLiteConnection>
    /// Whether the tables exist, which is false for a reader that opened the file before the tables
    /// were created.
    package let hasTables: Bool

    /// Whether this object has created the tables.
    package let isNew: Bool

    /// Whether the file is unchanged since the last process left the registry without unusual rows.
    let isTrusted: Bool
    private let paths: RegistryFiles
    /// The time of the last check of the file.
    private let checkedAt: Date
    /// Whether all rows have the values that this program writes, or nil before the rows were
    /// counted.
    let rowsArePlain = Lock<Bool?>(nil)

    /// Opens the registry with the present schema.
    ///
    /// - Throws: `SQLiteError`, with `.newerSchema` if a newer version of the program wrote the
    ///   file, `.corrupt` if the file is damaged, and `.olderSchema` if a reader finds an earlier
    ///   version.
    package convenience init(
        path: String,
        mode: SQLiteConnection.Mode = .readWriteCreate
    ) throws(SQLiteError) {
        try self.init(path: path, mode: mode, migrations: Migration.all, lastNumber: { 0 })
    }

    /// Opens the registry, and checks, creates or migrates the file for a writer.
    ///
    /// The cost of the check grows with the library. The check is skipped for a file that the last
    /// process has left whole.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mode: The access to the file.
    ///   - migrations: The steps of the schema.
    ///   - lastNumber: Returns the number after which the item numbers of a new registry start.
    ///   - damaged: The name of the damaged registry that a new one replaces, or nil without one.
    ///   - requiresTables: Returns whether a file without tables is damaged instead of new.
    ///   - now: The present time.
    /// - Throws: `SQLiteError`, with `.migration` if a step or the copy before the step failed.
    package init(
        path: String,
        mode: SQLiteConnection.Mode,
        migrations: [Migration],
        lastNumber: @Sendable () -> Int64,
        damaged: String? = nil,
        requiresTables: () -> Bool = { false },
        now: Date = Date()
    ) throws(SQLiteError) {
        paths = RegistryFiles(path)
        if mode == .readWriteCreate { Self.makePrivate(path) }
        let lastCheck = mode == .readWriteCreate ? RegistryMark(paths, now: now).take() : nil
        isTrusted = lastCheck != nil
        checkedAt = lastCheck ?? now
        // A damaged file must stay as found, so SQLite merges the log only after the check.
        let connection = try SQLiteConnection(path: path, mode: mode, keepsLog: true)
        let migrator = Migrator(connection: connection, files: paths, migrations: migrations)
        let version = try migrator.findVersion()
        switch mode {
        case .readWriteCreate:
            if !isTrusted { try Self.check(connection) }
            guard version > 0 || !requiresTables() else {
                throw SQLiteError(
                    .corrupt,
                    "The registry \(path) has no tables, although the library has files."
                )
            }
            try migrator.run(from: version, lastNumber: lastNumber, damaged: damaged)
            connection.keepsLog = false
        case .readOnly:
            guard version == 0 || version == migrations.count else {
                throw SQLiteError(
                    .olderSchema,
                    "This library was written by an earlier version of offline (schema "
                        + "\(version)). `offline serve` or `offline refresh` migrates it."
                )
            }
        }
        isNew = version == 0 && mode == .readWriteCreate
        hasTables = version > 0 || isNew
        self.connection = Lock(connection)
    }

    /// Runs `body` with the connection, while no other thread has the connection.
    package func withConnection<Value: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        try connection.withLock { connection throws(SQLiteError) in try body(connection) }
    }

    /// Runs a query, and returns the results of `map` for the rows.
    package func rows<Value: Sendable>(
        _ sql: String,
        _ values: SQLiteValue?...,
        map: @Sendable (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        try withConnection { connection throws(SQLiteError) in
            try connection.rows(sql, values: values, map: map)
        }
    }

    /// Runs one statement, which is one transaction.
    package func execute(_ sql: String, _ values: SQLiteValue?...) throws(SQLiteError) {
        try execute(sql, values: values)
    }

    func execute(_ sql: String, values: [SQLiteValue?]) throws(SQLiteError) {
        try withConnection { connection throws(SQLiteError) in
            try connection.execute(sql, values: values)
        }
    }

    /// Runs `body` in one transaction.
    package func transaction<Value: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        try withConnection { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in try body(connection) }
        }
    }

    /// Leaves the mark that the file is whole, so that the next process skips the check.
    ///
    /// Call this method at an orderly exit, while holding the library's lock. Later changes make
    /// the mark invalid. The method leaves no mark if a reader has the file open, or if the
    /// registry has an unusual row or damage.
    package func leaveWhole() {
        guard rowsArePlain.withLock(\.self) == true else { return }
        let isWhole = connection.withLock { connection in
            !connection.hasFoundDamage && (try? connection.mergeLog()) == true
        }
        if isWhole { RegistryMark(paths).leave(checkedAt: checkedAt) }
    }

    /// Closes the file, after which calls throw `.misuse`.
    ///
    /// - Parameter keepingLog: Whether to leave the log of a damaged file unmerged beside the file.
    package func close(keepingLog: Bool = false) {
        connection.withLock { connection in
            if keepingLog { connection.keepsLog = true }
            connection.close()
        }
    }

    /// Checks the structure of the whole file before a change spreads damage.
    ///
    /// For 100,000 items with 40,000 segments (36 MB), this check takes 0.08 s of the second that a
    /// start may take. The count of the items after the check takes several times as long. The
    /// complete check also compares the indexes. That check takes twice the time and does not find
    /// any further damage that loses an item.
    private static func check(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard let fault = try connection.firstFault() else { return }
        throw SQLiteError(
            .corrupt,
            "The file \(connection.path) is damaged (\(fault)). Move it away together with its -wal "
                + "and -shm files, or replace all of them by a copy."
        )
    }

    /// Restricts the file to the owner, because the registry contains addresses and the server's
    /// token.
    ///
    /// SQLite creates the other files with the same mode.
    private static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // SQLite then also fails to open the file and throws the error.
        guard descriptor >= 0 else { return }
        fchmod(descriptor, 0o600)
        Foundation.close(descriptor)
    }
}
