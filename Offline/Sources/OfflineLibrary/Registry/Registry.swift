// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
package import TidingsSQLite

/// The database of the library: the items, their parts and the preferences in one SQLite file.
///
/// Each method is one committed transaction or one read. After its return, the change survives a
/// kill and a power cut. Safe from any thread; a call blocks until the disk has committed.
package final class Registry: Sendable {
    let connection: Lock<SQLiteConnection>
    /// Whether the tables exist; false for a reader that opened the file before their creation.
    let hasTables: Bool

    /// Whether this object has made the tables.
    let isNew: Bool

    /// Whether the file is as the last process has left it, which had no unusual rows.
    let isTrusted: Bool
    private let files: RegistryFiles
    /// The time of the last check of the file.
    private let checkedAt: Date
    /// Whether all rows have the values that this program writes; nil before they were counted.
    let rowsArePlain = Lock<Bool?>(nil)

    /// Opens the registry with the present schema.
    ///
    /// - Throws: `SQLiteError`; `.newerSchema` if a newer version of the program wrote the file,
    ///   `.corrupt` if it is damaged, and `.olderSchema` for a reader of an earlier version.
    package convenience init(
        path: String,
        mode: SQLiteConnection.Mode = .readWriteCreate
    ) throws(SQLiteError) {
        try self.init(path: path, mode: mode, migrations: Migration.all, lastNumber: { 0 })
    }

    /// Opens the registry; a writer checks, creates or migrates it.
    ///
    /// A file that the last process has left whole is not read for the check, of which the cost
    /// grows with the library.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mode: The access to the file.
    ///   - migrations: The steps of the schema.
    ///   - lastNumber: Returns the number after which those of the items in a new registry start.
    ///   - damaged: The name of the damaged registry that a new one replaces; nil without one.
    ///   - requiresTables: Returns whether a file without tables is damaged, and not new.
    ///   - now: The present time.
    /// - Throws: `SQLiteError`, also `.migration` if a step or the copy before it failed.
    init(
        path: String,
        mode: SQLiteConnection.Mode,
        migrations: [Migration],
        lastNumber: @Sendable () -> Int64,
        damaged: String? = nil,
        requiresTables: () -> Bool = { false },
        now: Date = Date()
    ) throws(SQLiteError) {
        files = RegistryFiles(path)
        if mode == .readWriteCreate { Self.makePrivate(path) }
        let lastCheck = mode == .readWriteCreate ? RegistryMark(files, now: now).take() : nil
        isTrusted = lastCheck != nil
        checkedAt = lastCheck ?? now
        // A damaged file must stay as it is found, so its log is merged only after the check.
        let connection = try SQLiteConnection(path: path, mode: mode, keepsLog: true)
        let migrator = Migrator(
            connection: connection,
            files: files,
            migrations: migrations
        )
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

    /// Leaves the mark that the file is whole, with which the next process skips the check.
    ///
    /// Call it at an ordered end, with the library's lock held. Later changes make the mark
    /// invalid; a reader that has the file open, an unusual row or a damage prevents it.
    func leaveWhole() {
        guard rowsArePlain.withLock(\.self) == true else { return }
        let isWhole = connection.withLock { connection in
            !connection.hasFoundDamage && (try? connection.mergeLog()) == true
        }
        if isWhole { RegistryMark(files).leave(checkedAt: checkedAt) }
    }

    /// Closes the file; later calls throw `.misuse`.
    ///
    /// - Parameter keepingLog: Whether to leave the log of a damaged file unmerged beside it.
    func close(keepingLog: Bool = false) {
        connection.withLock { connection in
            if keepingLog { connection.keepsLog = true }
            connection.close()
        }
    }

    /// Checks the structure of the whole file, before a change spreads a damage.
    ///
    /// This takes 0.08 s for 100,000 items with 40,000 segments (36 MB), of the second that a start
    /// may take; the count of the items after it takes several times as long. The complete check
    /// also compares the indexes, takes twice the time and finds no damage that loses an item.
    private static func check(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard let fault = try connection.firstFault() else { return }
        throw SQLiteError(
            .corrupt,
            "The file \(connection.path) is damaged (\(fault)). Move it away together with its -wal "
                + "and -shm files, or replace all of them by a copy."
        )
    }

    /// Restricts the file to its owner, because it contains addresses and the server's token.
    ///
    /// SQLite creates its other files with the same mode.
    private static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // SQLite then fails to open the file as well, and throws the error.
        guard descriptor >= 0 else { return }
        fchmod(descriptor, 0o600)
        Foundation.close(descriptor)
    }
}
