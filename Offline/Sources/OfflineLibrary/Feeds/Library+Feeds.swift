// SPDX-License-Identifier: Apache-2.0
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Keeps an item on purpose: no feed removes it.
    ///
    /// - Throws: `LibraryError`; `.notFound` if there is no such item.
    package func keep(_ id: ItemID) throws(LibraryError) -> MediaItem {
        let item = try item(id)
        do {
            let feeds = try journal.registry.keep(id)
            if !feeds.isEmpty { journal.post(FeedsChanged()) }
        } catch {
            throw LibraryError(error)
        }
        return item
    }

    /// Returns the parts of this library that the checks of feeds use.
    func feedWork(with clients: HTTPClients) -> FeedChecks.Work {
        FeedChecks.Work(
            clients: clients,
            admit: { [weak self] id in await self?.queue?.admit(id) },
            remove: { [weak self] id in try await self?.removeUnchanged(id) }
        )
    }

    /// Removes an item with its file, unless the file is no longer the recorded one.
    private func removeUnchanged(_ id: ItemID) async throws(LibraryError) {
        let item = try item(id)
        guard let path = path(of: item), SystemFile.size(of: path) == item.size else { return }
        try await remove(id, withFile: true)
    }
}
