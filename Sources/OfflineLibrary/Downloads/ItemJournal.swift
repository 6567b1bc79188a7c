// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Tidings
import TidingsSQLite

/// The one road by which an item changes: committed to the registry first, told to everybody after.
///
/// Safe from any thread. What is told comes in the order of the commits, with no lock held, on the
/// thread of a caller: while one thread tells, it tells for the others too, which return.
package final class ItemJournal: Sendable {
    package let registry: Registry
    package let messages: MessageCenter
    /// The items as the registry holds them, the newest first.
    package let items: StatePublisher<[MediaItem]>
    package let delegates: Delegates<any DownloadObserver>
    private let news = Lock(News())

    /// What is committed and not yet told.
    private struct News {
        var waiting: [@Sendable () -> Void] = []
        var isBeingTold = false

        /// Whether the caller is to tell until `popNext` has no more.
        mutating func begin() -> Bool {
            guard !isBeingTold else { return false }
            isBeingTold = true
            return true
        }

        mutating func popNext() -> (@Sendable () -> Void)? {
            isBeingTold = !waiting.isEmpty
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

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
        try commit { () throws(SQLiteError) in
            let item = try registry.insert(request, state: state, title: title, at: date)
            return (item, { self.tell(new: item) })
        }
    }

    /// Registers the request unless the library has an item of its source and rendition.
    func insertUnlessKnown(
        _ request: DownloadRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> (item: MediaItem, isNew: Bool) {
        try commit { () throws(SQLiteError) in
            let result = try registry.insertUnlessKnown(request, title: title, at: date)
            guard result.isNew else { return (result, nil) }
            return (result, { self.tell(new: result.item) })
        }
    }

    /// Commits the changes and tells them; with a state, only if the item is still in it.
    ///
    /// - Returns: The item as it is now, nil when it was removed meanwhile or left the state.
    @discardableResult
    func change(
        _ id: ItemID,
        in state: ItemState? = nil,
        _ changes: ItemChange...
    ) throws(SQLiteError) -> MediaItem? {
        try commit { () throws(SQLiteError) in
            guard let item = try registry.update(id, in: state, changes) else { return (nil, nil) }
            return (item, { self.tell(changed: item) })
        }
    }

    func remove(_ id: ItemID) throws(SQLiteError) {
        try commit { () throws(SQLiteError) in
            try registry.remove(id)
            return ((), { self.tell(removed: id) })
        }
    }

    /// Posts a message after everything that was committed before.
    func post(_ message: some Message) {
        news.withLock { news in
            news.waiting.append { self.messages.post(message) }
        }
        tellNews()
    }

    /// Commits and, in one step with it, takes the next place in the order of telling.
    private func commit<Value: Sendable>(
        _ change: () throws(SQLiteError) -> (value: Value, telling: (@Sendable () -> Void)?)
    ) throws(SQLiteError) -> Value {
        let value = try news.withLock { news throws(SQLiteError) in
            let (value, telling) = try change()
            if let telling { news.waiting.append(telling) }
            return value
        }
        tellNews()
        return value
    }

    private func tellNews() {
        guard news.withLock({ $0.begin() }) else { return }
        while let tell = news.withLock({ $0.popNext() }) { tell() }
    }

    private func tell(new item: MediaItem) {
        items.update { $0.insert(item, at: 0) }
        messages.post(DownloadQueued(item: item))
    }

    private func tell(changed item: MediaItem) {
        items.update { items in
            guard let index = items.firstIndex(where: { $0.id == item.id }) else { return }
            items[index] = item
        }
        messages.post(ItemChanged(item: item))
    }

    private func tell(removed id: ItemID) {
        items.update { $0.removeAll { $0.id == id } }
        messages.post(ItemRemoved(id: id))
    }
}
