// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Tidings
import TidingsSQLite

/// The one road by which an item changes: committed to the registry first, told to everybody after.
///
/// Safe from any thread. Messages are posted on the caller's thread, with no lock held.
package final class ItemJournal: Sendable {
    package let registry: Registry
    package let messages: MessageCenter
    /// The items as the registry holds them, the newest first.
    package let items: StatePublisher<[MediaItem]>
    package let delegates: Delegates<any DownloadObserver>

    init(registry: Registry, messages: MessageCenter) throws(SQLiteError) {
        self.registry = registry
        self.messages = messages
        items = StatePublisher()
        delegates = Delegates()
        items.updateData(try registry.items())
    }

    func insert(
        _ request: DownloadRequest,
        state: ItemState = .queued,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        let item = try registry.insert(request, state: state, title: title, at: date)
        publish { $0.insert(item, at: 0) }
        messages.post(DownloadQueued(item: item))
        return item
    }

    /// Commits the changes and tells them.
    ///
    /// - Returns: The item as it is now, nil when it was removed meanwhile.
    @discardableResult
    func change(_ id: ItemID, _ changes: ItemChange...) throws(SQLiteError) -> MediaItem? {
        guard let item = try registry.update(id, changes) else { return nil }
        publish { items in
            guard let index = items.firstIndex(where: { $0.id == id }) else { return }
            items[index] = item
        }
        messages.post(ItemChanged(item: item))
        return item
    }

    func remove(_ id: ItemID) throws(SQLiteError) {
        try registry.remove(id)
        publish { $0.removeAll { $0.id == id } }
        messages.post(ItemRemoved(id: id))
    }

    private func publish(_ change: @Sendable (inout [MediaItem]) -> Void) {
        items.update(change)
    }
}
