// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineModel
import OfflineStore
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Keeps an item on purpose, so that no feed removes the item.
    ///
    /// - Throws: `LibraryError`, with `.notFound` if the item does not exist.
    package func keep(_ id: ItemID) throws(LibraryError) -> MediaItem {
        let exists = try space.record { () throws(SQLiteError) in try journal.keep(id) }
        guard exists else { throw LibraryError(noItem: id) }
        return try item(id)
    }
}

/// An item that newer items of a feed replace.
struct ExpiredItem: Sendable {
    let id: ItemID
    let feed: FeedID
    let library: OpenLibrary
    let queue: DownloadQueue

    /// Removes the item, with the files that the program has written for the item.
    ///
    /// If the user has changed or added a file, this method marks the item as kept instead. An item
    /// whose file is missing stays as it is.
    func remove() async throws {
        guard let item = try library.journal.items.item(id) else { return }
        let files = WrittenFiles(directory: library.directory, journal: library.journal)
        switch try files.compare(item) {
        case .missing: return
        case .changed:
            _ = try library.space.commit { () throws(SQLiteError) in try library.journal.keep(id) }
            return
        case .unchanged(let names):
            await queue.hold(id)
            let result = Result { try delete(names) }
            await queue.release(id)
            guard try result.get() else { return }
        }
        // The freed space may suffice for a paused download.
        await queue.continuePaused()
    }

    /// Removes the row first.
    ///
    /// After a kill in between, the next refresh finds the files.
    private func delete(_ names: [String]) throws -> Bool {
        let isRemoved = try library.space.commit { () throws(SQLiteError) in
            try library.journal.removeExpired(id, of: feed)
        }
        guard isRemoved else { return false }
        let directory = library.directory
        for name in names { try SystemFile.remove(directory.mediaFile(name)) }
        try SystemFile.remove(directory.picture(of: id))
        SystemFile.removeFolder(directory.work(of: id))
        return true
    }
}
