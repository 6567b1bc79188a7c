// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineModel
package import OfflineStore
import TidingsSQLite

extension Library {
    /// Moves a queued item in the order of the queue.
    ///
    /// - Throws: `LibraryError` with `.notQueued` if the item, or the other item of `place`, is in
    ///   another state.
    package func move(_ id: ItemID, to place: QueuePlace) async throws(LibraryError) -> MediaItem {
        let isQueued = try space.record { () throws(SQLiteError) in
            try journal.reorder(id, place)
        }
        let item = try item(id)
        guard isQueued else {
            let other =
                if item.state == .queued, let id = place.item { try self.item(id) } else { item }
            throw LibraryError(
                .notQueued,
                "Item \(other.id) does not wait in the queue: its state is \(other.state.rawValue)."
            )
        }
        await queue.fill()
        return item
    }

    /// Ends an unfinished download, and removes the item and the item's data.
    ///
    /// - Throws: `LibraryError` with `.notCancellable` if the item is in the library.
    package func cancel(_ id: ItemID) async throws(LibraryError) {
        _ = try item(id)
        await queue.hold(id)
        let result = Result { () throws(LibraryError) in try item(id).requireUnfinished() }
        do throws(LibraryError) {
            try result.get()
            try await remove(id, withFile: false)
        } catch {
            await queue.release(id)
            throw error
        }
        await queue.release(id)
    }
}

extension MediaItem {
    /// Throws if the download of the item has finished.
    fileprivate func requireUnfinished() throws(LibraryError) {
        guard [.ready, .missing, .unverified].contains(self.state) else { return }
        throw LibraryError(
            .notCancellable,
            "Item \(id) is in the library, so there is no download to cancel. `offline remove "
                + "\(id)` removes it from the list."
        )
    }
}
