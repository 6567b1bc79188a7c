// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Makes items of the requests that other commands have stored.
    ///
    /// A request stays stored until its item is committed.
    ///
    /// - Returns: The items.
    @discardableResult
    func importRequests() -> [ItemID] {
        let inbox = RequestInbox(directory)
        return inbox.requests().compactMap { name, stored in
            // A newer version may have stored it; that one will read it.
            guard let request = stored.request else { return nil }
            guard let item = try? item(for: request, at: stored.date) else { return nil }
            _ = try? inbox.withdraw(name)
            return item.id
        }
    }

    /// Returns the item of a stored request.
    ///
    /// A process that was killed before it removed the request has made the item before: its time
    /// is that of the request.
    private func item(
        for request: DownloadRequest,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        if request.again, let item = try journal.registry.item(of: request, at: date) {
            return item
        }
        return try register(request, at: date).item
    }

    /// Imports the stored requests whenever one arrives, and downloads their items.
    func watchRequests() -> FolderWatch {
        FolderWatch(directory.requests) { [weak self] in
            guard let self else { return }
            let ids = importRequests()
            Task { for id in ids { await self.queue?.include(id) } }
        }
    }
}
