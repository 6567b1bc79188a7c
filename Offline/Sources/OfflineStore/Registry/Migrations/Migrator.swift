// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// Brings a registry from any earlier version to the present one.
///
/// Each step is one transaction, which includes the version of the file. If the process is killed,
/// the last complete step remains, and the next process continues from there. Only the process with
/// the library's lock migrates.
struct Migrator {
    let connection: SQLiteConnection
    let files: RegistryFiles
    let migrations: [Migration]

    /// Returns the version of the file, which is 0 before the tables exist.
    ///
    /// - Throws: `.newerSchema` for the version of a newer program, and `.corrupt` if a table or a
    ///   column of the found version is missing.
    func findVersion() throws(SQLiteError) -> Int {
        // A reader without the library's lock must not combine the version from before a step with
        // the tables from after the step.
        let (version, tables) = try connection.snapshot { () throws(SQLiteError) in
            (try connection.userVersion, try connection.columnsByTable())
        }
        guard version <= migrations.count else {
            throw SQLiteError(
                .newerSchema,
                "This library was written by a newer version of offline (schema \(version)). "
                    + "Install that version; nothing was changed."
            )
        }
        let isWhole =
            try version == 0
            ? tables.isEmpty : tables.contains(Self.schema(after: prefix(version)).tables)
        guard version >= 0, isWhole else {
            throw SQLiteError(
                .corrupt,
                "The registry \(files.registry) lacks tables of its schema \(version). Replace it "
                    + "and its -wal and -shm files by a copy."
            )
        }
        return version
    }

    /// Runs the steps after `version`, and first keeps a copy of an existing registry.
    ///
    /// - Parameters:
    ///   - version: The version of the file.
    ///   - lastNumber: Returns the number after which the item numbers of a new registry start.
    ///   - damaged: The name of the damaged registry that a new one replaces, or nil without one.
    /// - Throws: `.migration` if the copy or a step failed, and `.corrupt` if the file is damaged.
    func run(
        from version: Int,
        lastNumber: @Sendable () -> Int64,
        damaged: String? = nil
    ) throws(SQLiteError) {
        try trustSchema(of: version)
        guard version > 0 else { return try create(lastNumber(), damaged) }
        guard version < migrations.count else { return }
        try keepCopy(of: version)
        for (index, migration) in migrations.enumerated().dropFirst(version) {
            do throws(SQLiteError) {
                try connection.transaction { () throws(SQLiteError) in
                    try migration.change(connection)
                    try connection.setUserVersion(index + 1)
                }
            } catch {
                throw failure(
                    "The registry could not be migrated to schema \(index + 1), and keeps schema "
                        + "\(index)",
                    "Remove the cause and try again, or install the version of offline that you "
                        + "had. \(files.copy(ofVersion: version)) is a copy from before",
                    cause: error
                )
            }
        }
    }

    /// Lets the triggers of the schema write, after checking that the triggers come from the steps.
    private func trustSchema(of version: Int) throws(SQLiteError) {
        let expected = try Self.schema(after: prefix(version)).triggers
        guard try connection.triggers() == expected else {
            throw SQLiteError(
                .corrupt,
                "The registry \(files.registry) has other triggers than its schema \(version). "
                    + "Replace it and its -wal and -shm files by a copy."
            )
        }
        try connection.trustSchema()
    }

    /// Creates all tables in one transaction, so that a new registry has all tables or none.
    private func create(_ lastNumber: Int64, _ damaged: String?) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            for migration in migrations { try migration.change(connection) }
            try connection.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES ('items', ?)",
                .integer(Int(lastNumber))
            )
            if let damaged { try Preferences.recordDamage(damaged, in: connection) }
            try connection.setUserVersion(migrations.count)
        }
    }

    /// Copies the registry to a file in the same folder, and replaces a copy of the same version.
    private func keepCopy(of version: Int) throws(SQLiteError) {
        let copy = files.copy(ofVersion: version)
        let part = copy + ".part"
        do {
            // SQLite accepts an empty file, and only the owner can read this file.
            for path in [part, part + "-journal"] { try SystemFile.remove(path) }
            try SystemFile.create(part, content: Data())
            try connection.writeCopy(to: part)
            try SystemFile.sync(part)
            try SystemFile.renameDurably(part, to: copy)
        } catch {
            // SQLite leaves a journal after a failure.
            for path in [part, part + "-journal"] { _ = try? SystemFile.remove(path) }
            throw failure(
                "The registry must be migrated from schema \(version), and no copy of it could be "
                    + "made, so nothing was changed",
                "Free some space, check the permissions of the library's folder, and try again",
                cause: error
            )
        }
    }

    /// Returns the error of a failed migration, but keeps `.corrupt`, which has another remedy.
    ///
    /// A violated constraint also counts as damage. No program has written the rows that a step
    /// refuses, and another attempt fails in the same way.
    private func failure(_ fault: String, _ remedy: String, cause: any Error) -> SQLiteError {
        if let cause = cause as? SQLiteError {
            if cause.code == .corrupt { return cause }
            if cause.code == .constraint {
                return SQLiteError(.corrupt, "\(fault): \(cause.message)", cause: cause)
            }
        }
        let reason =
            switch cause {
            case let cause as SQLiteError: cause.message
            case let cause as SystemError: cause.descriptionWithPath
            default: "\(cause)"
            }
        return SQLiteError(.migration, "\(fault): \(reason) \(remedy).", cause: cause)
    }

    private func prefix(_ version: Int) -> ArraySlice<Migration> {
        version > 0 ? migrations.prefix(version) : []
    }

    /// Returns the tables, columns and triggers that these steps create, without a second list.
    private static func schema(
        after migrations: ArraySlice<Migration>
    ) throws(SQLiteError) -> (tables: [String: Set<String>], triggers: Set<String>) {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try connection.trustSchema()
        for migration in migrations { try migration.change(connection) }
        return (try connection.columnsByTable(), try connection.triggers())
    }
}

extension [String: Set<String>] {
    /// Returns whether these tables contain all columns of other tables.
    fileprivate func contains(_ other: Self) -> Bool {
        other.allSatisfy { table, columns in self[table]?.isSuperset(of: columns) == true }
    }
}
