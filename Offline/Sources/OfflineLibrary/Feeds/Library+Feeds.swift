// SPDX-License-Identifier: Apache-2.0
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Keeps an item on purpose: no feed removes it.
    ///
    /// - Throws: `LibraryError`; `.notFound` if there is no such item.
    package func keep(_ id: ItemID) throws(LibraryError) -> MediaItem {
        do {
            let exists = try space.commit { () throws(SQLiteError) in try journal.keep(id) }
            guard exists else { throw LibraryError(noItem: id) }
        } catch {
            throw LibraryError(error)
        }
        return try item(id)
    }

    /// Returns the parts of this library that the checks of feeds use.
    func feedWork(with clients: HTTPClients) -> FeedChecks.Work {
        FeedChecks.Work(
            clients: clients,
            admit: { [weak self] id in await self?.queue?.admit(id) },
            remove: { [weak self] id, feed in try await self?.removeExpired(id, of: feed) }
        )
    }

    /// Removes an item that newer ones of a feed replace, with the files that the program has
    /// written for it.
    ///
    /// An item with a file that the person has changed or added is marked as kept instead, and one
    /// whose file is not in its place stays as it is.
    private func removeExpired(_ id: ItemID, of feed: FeedID) async throws(LibraryError) {
        let item = try item(id)
        let files = WrittenFiles(directory: directory, registry: journal.registry)
        do {
            switch try files.compare(item) {
            case .missing: return
            case .changed:
                _ = try space.commit { () throws(SQLiteError) in try journal.keep(id) }
                return
            case .unchanged(let names):
                await queue?.hold(id)
                let result = Result { try delete(item, names, of: feed) }
                await queue?.release(id)
                guard try result.get() else { return }
            }
        } catch {
            throw LibraryError(error)
        }
        // Its space may suffice for a paused download.
        await queue?.continuePaused()
    }

    /// Removes the row first, so that the next refresh finds the files after a kill in between.
    private func delete(_ item: MediaItem, _ names: [String], of feed: FeedID) throws -> Bool {
        let isRemoved = try space.commit { () throws(SQLiteError) in
            try journal.removeExpired(item.id, of: feed)
        }
        guard isRemoved else { return false }
        for name in names { try SystemFile.remove(directory.mediaFile(name)) }
        try SystemFile.remove(directory.picture(of: item.id))
        SystemFile.removeFolder(directory.work(of: item.id))
        return true
    }
}
