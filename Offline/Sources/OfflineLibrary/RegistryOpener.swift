// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
package import OfflineStore
import TidingsFiles
package import TidingsSQLite

/// Opens the registry for the process that has the library's lock, and replaces a damaged one.
struct RegistryOpener {
    let directory: LibraryDirectory
    var migrations = Migration.all
    /// The present time, which also appears in the name of a damaged registry.
    var date = Date()

    /// Opens the registry and reads it with `use`.
    ///
    /// If the file is damaged, or if `use` throws `.corrupt`, the opener sets the file aside and
    /// runs `use` again with a new registry. A library with files but without a registry also
    /// counts as damaged.
    ///
    /// - Returns: The result of `use`, and the damaged registry until `Preferences.forgetDamage` is
    ///   called.
    /// - Throws: `SQLiteError`, with `.corrupt` only if the damaged file could not be set aside.
    func open<Value>(
        _ use: (Registry) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> (value: Value, damage: DamagedRegistry?) {
        let files = RegistryFiles(directory.registry)
        try files.requireRegularFile()
        let unfinished = try rename { () throws(SystemError) in try files.finishSettingAside() }
        do throws(SQLiteError) {
            let isSetAside = unfinished.map(SystemFile.exists) ?? false
            if !isSetAside { try Self.requireRegistry(files, hasFiles: directory.hasFiles) }
            return try attempt(files, use, damaged: unfinished) {
                !isSetAside && directory.hasFiles
            }
        } catch {
            guard error.code == .corrupt else { throw error }
            let damage = error
            let damaged = try rename(because: damage) { () throws(SystemError) in
                try files.setAside(work: directory.work, at: date)
            }
            return try attempt(files, use, damaged: damaged, because: damage)
        }
    }

    /// Throws `.corrupt` if a registry is missing although other files show that a registry
    /// existed.
    static func requireRegistry(
        _ files: RegistryFiles,
        hasFiles: @autoclosure () -> Bool
    ) throws(SQLiteError) {
        // `hasFiles` comes last, because it lists folders with as many files as the library has.
        guard files.hasOnlyLog || (files.isEmpty && hasFiles()) else { return }
        throw SQLiteError(
            .corrupt,
            "The registry \(files.registry) is missing or empty, although the library has files."
        )
    }

    private func attempt<Value>(
        _ files: RegistryFiles,
        _ use: (Registry) throws(SQLiteError) -> Value,
        damaged: String?,
        because cause: SQLiteError? = nil,
        requiresTables: () -> Bool = { false }
    ) throws(SQLiteError) -> (value: Value, damage: DamagedRegistry?) {
        let registry = try Registry(
            path: files.registry,
            mode: .readWriteCreate,
            migrations: migrations,
            lastNumber: { directory.lastNumber },
            damaged: damaged.map { ($0 as NSString).lastPathComponent },
            requiresTables: requiresTables,
            now: date
        )
        do throws(SQLiteError) {
            let found = try registry.preferences.damage.flatMap(files.damaged)
            let value = try use(registry)
            try rename { () throws(SystemError) in try files.endSettingAside() }
            return (value, found.map { DamagedRegistry(path: $0, cause: cause) })
        } catch {
            registry.close(keepingLog: error.code == .corrupt)
            throw error
        }
    }

    private func rename<Value>(
        because damage: SQLiteError? = nil,
        _ rename: () throws(SystemError) -> Value
    ) throws(SQLiteError) -> Value {
        do throws(SystemError) {
            return try rename()
        } catch {
            throw SQLiteError(
                damage?.code ?? .inputOutput,
                "The damaged registry \(directory.registry) cannot be set aside "
                    + "(\(error.descriptionWithPath)). Check the permissions of its folder.",
                cause: damage ?? error
            )
        }
    }
}

extension Registry {
    /// Reads the item of a stored request without the library's lock, or returns nil without an
    /// item.
    ///
    /// - Throws: The errors of `readOnly(in:)`.
    package static func item(
        of stored: StoredRequest,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> MediaItem? {
        guard let request = stored.request, let registry = try readOnly(in: directory) else {
            return nil
        }
        let items = registry.items
        return request.again
            ? try items.item(of: request, at: stored.date) : try items.newestItem(of: request)
    }

    /// Opens the registry of a library without the library's lock, or returns nil without a
    /// registry.
    ///
    /// - Throws: `SQLiteError`, with `.olderSchema` if the registry must be migrated first, and
    ///   with `.corrupt` if the registry is damaged or lost.
    package static func readOnly(in directory: LibraryDirectory) throws(SQLiteError) -> Registry? {
        let files = RegistryFiles(directory.registry)
        try files.requireRegularFile()
        if !files.isReplacing {
            try RegistryOpener.requireRegistry(files, hasFiles: directory.hasFiles)
        }
        guard !files.isEmpty else { return nil }
        return try Registry(path: directory.registry, mode: .readOnly)
    }
}
