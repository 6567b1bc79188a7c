// SPDX-License-Identifier: Apache-2.0
package import OfflineDownloads
package import OfflineModel
package import OfflineStore
package import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// A library whose registry this process has opened, without background work.
///
/// Only one process at a time can open a library. The object holds the lock until `close`, or until
/// the object is released. `Library` adds the downloads, the feeds and the other work.
package final class OpenLibrary: Sendable {
    /// The folder of the library.
    package var directory: LibraryDirectory { configuration.directory }
    /// The center that receives the library's messages.
    package var messages: MessageCenter { configuration.messages }
    /// The items and their changes.
    package let journal: ItemJournal
    /// The damaged registry that this opening set aside, or that an earlier opening set aside and
    /// that was not yet reported.
    ///
    /// The value is nil if the registry was intact.
    package let damage: DamagedRegistry?
    /// The number of files from an earlier version that the opening renamed to match the titles.
    package let movedFiles: Int
    /// The address of the catalog at the opening.
    let catalogAddress: CatalogAddress?
    /// The space on the disk of the library.
    let space: DiskSpace
    let configuration: LibraryConfiguration
    private let lock: LibraryLock
    private let isClosed = Lock(false)

    /// Opens a library, and creates the library if none exists.
    ///
    /// The opening migrates a registry of an earlier version. A damaged registry is set aside, as
    /// `damage` describes, and a new registry replaces the damaged one.
    ///
    /// - Throws: `LibraryError`, with `.inUse` if another process has opened the library,
    ///   `.newerVersion` if a newer version of the program wrote the registry, and
    ///   `.migrationFailed`.
    package init(_ configuration: LibraryConfiguration) throws(LibraryError) {
        let directory = configuration.directory
        self.configuration = configuration
        space = DiskSpace(directory, measure: configuration.freeSpace)
        do {
            try directory.create()
        } catch {
            throw LibraryError(
                .cannotOpen,
                "The library \(directory.media) cannot be created (\(error.descriptionWithPath)). "
                    + "Choose another folder with --library.",
                cause: error
            )
        }
        lock = try LibraryLock(directory)
        do {
            ((journal, catalogAddress, movedFiles), damage) = try Self.open(configuration, space)
        } catch {
            throw LibraryError(opening: error)
        }
        removeStaleWork()
        removePartialUploads()
        SoundCopies.removeAll(in: directory)
        importRequests()
    }

    /// Opens the registry.
    ///
    /// If the disk is full, the reserve is released before a second attempt.
    private static func open(
        _ configuration: LibraryConfiguration,
        _ space: DiskSpace
    ) throws(SQLiteError) -> ((ItemJournal, CatalogAddress?, Int), DamagedRegistry?) {
        let opener = RegistryOpener(directory: configuration.directory)
        func attempt() throws(SQLiteError) -> (
            (ItemJournal, CatalogAddress?, Int), DamagedRegistry?
        ) {
            try opener.open { registry throws(SQLiteError) in
                try registry.requeueInterrupted()
                let movedFiles = NumberedMedia(configuration.directory, registry).move()
                RenamedFiles(directory: configuration.directory, items: registry.items) {
                    try registry.update($0, nil, with: $1)
                }.finish()
                return (
                    try ItemJournal(registry: registry, messages: configuration.messages),
                    try registry.preferences.preference(CatalogPreference.key).address,
                    movedFiles
                )
            }
        }
        do {
            return try attempt()
        } catch {
            guard error.code == .full else { throw error }
            space.releaseReserve()
            return try attempt()
        }
    }

    /// Records that `damage` has been reported, so that the next opening does not return it.
    package func forgetDamage() throws(LibraryError) {
        try LibraryError.rethrowing { try journal.preferences.forgetDamage() }
    }

    deinit { close() }

    /// Leaves the registry to the next process.
    func close() {
        // After the first call, the registry belongs to the process that holds the lock.
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        journal.leaveWhole()
        lock.release()
    }

    /// Removes the work folders of items that are ready or no longer exist.
    private func removeStaleWork() {
        let names = SystemFile.names(in: directory.work)
        // A new registry has no items, so that the folders to keep are unknown.
        guard !journal.isNew else { return }
        for name in names {
            let item: MediaItem?
            do {
                item = try Int64(name).flatMap { number throws(SQLiteError) in
                    try journal.items.item(ItemID(rawValue: number))
                }
            } catch {
                return
            }
            if item == nil || item?.state == .ready {
                SystemFile.removeFolder("\(directory.work)/\(name)")
            }
        }
    }
}
