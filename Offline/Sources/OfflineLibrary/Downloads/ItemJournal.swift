// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// Commits every change of an item to the registry and then posts it.
///
/// Safe from any thread. Messages and states are delivered in the order of the commits, without a
/// lock held, on the thread of a caller. While one thread delivers, it also delivers the changes of
/// other threads, whose calls return at once.
package final class ItemJournal: Sendable {
    /// The registry of the items.
    package let registry: Registry
    /// The center that receives the messages.
    package let messages: MessageCenter
    /// The numbers of items.
    ///
    /// The items are in the registry alone: the cost of a change must not grow with the library.
    package let counts: StatePublisher<ItemCounts>
    private let deliveries = Lock(DeliveryQueue())

    /// The deliveries of committed changes.
    private struct DeliveryQueue {
        var pending: [@Sendable () -> Void] = []
        var isDelivering = false

        /// Returns whether the caller must deliver until `popNext` returns nil.
        mutating func begin() -> Bool {
            guard !isDelivering else { return false }
            isDelivering = true
            return true
        }

        mutating func popNext() -> (@Sendable () -> Void)? {
            isDelivering = !pending.isEmpty
            return pending.isEmpty ? nil : pending.removeFirst()
        }
    }

    init(registry: Registry, messages: MessageCenter) throws(SQLiteError) {
        self.registry = registry
        self.messages = messages
        counts = StatePublisher()
        // This reads every row, so that a damaged one is found at the opening.
        counts.updateData(try registry.counts())
    }

    func insert(
        _ request: DownloadRequest,
        state: ItemState = .queued,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        try commit { () throws(SQLiteError) in
            let item = try registry.insert(request, state: state, title: title, at: date)
            return (item, { self.publish(inserted: item) })
        }
    }

    /// Inserts an item for the request unless one of its origin and choice exists.
    func insertUnlessKnown(
        _ request: DownloadRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> (item: MediaItem, isNew: Bool) {
        try commit { () throws(SQLiteError) in
            let result = try registry.insertUnlessKnown(request, title: title, at: date)
            guard result.isNew else { return (result, nil) }
            return (result, { self.publish(inserted: result.item) })
        }
    }

    /// Inserts the content of an import that the registry does not have.
    ///
    /// - Returns: The numbers of the import, and the new feeds.
    func insert(
        _ library: ImportedLibrary,
        at date: Date
    ) throws(SQLiteError) -> (report: ImportReport, feeds: [FeedID]) {
        try commit { () throws(SQLiteError) in
            let result = try registry.insert(library, at: date)
            return (
                (result.report, result.feeds),
                {
                    if !result.inserted.isEmpty { self.publish(imported: result.inserted) }
                    if result.report.feeds > 0 { self.messages.post(FeedsChanged()) }
                    if result.report.collections > 0 { self.messages.post(CollectionsChanged()) }
                }
            )
        }
    }

    /// Inserts the items of files of the media folder, and posts one message about all of them.
    func insert(_ files: [ImportedFile], at date: Date) throws(SQLiteError) -> [MediaItem] {
        try commit { () throws(SQLiteError) in
            let items = try registry.insert(files, at: date)
            guard !items.isEmpty else { return (items, nil) }
            return (items, { self.publish(imported: items) })
        }
    }

    /// Commits changes of an item in one transaction and posts them.
    ///
    /// - Returns: The changed item; nil if it does not exist.
    /// - Throws: `SQLiteError` if the registry is not writable; nothing is posted then.
    @discardableResult
    func change(_ id: ItemID, _ changes: ItemChange...) throws(SQLiteError) -> MediaItem? {
        try change(id, changes)
    }

    /// Commits changes of an item in one transaction and posts them.
    func change(_ id: ItemID, _ changes: [ItemChange]) throws(SQLiteError) -> MediaItem? {
        try update(id, nil, changes)
    }

    /// Commits a move of an item to another state, with other changes, and posts it.
    ///
    /// - Returns: The changed item; nil if it does not exist or the move is not legal.
    /// - Throws: `SQLiteError` if the registry is not writable; nothing is posted then.
    @discardableResult
    func move(
        _ id: ItemID,
        _ move: ItemMove,
        _ changes: ItemChange...
    ) throws(SQLiteError) -> MediaItem? {
        try update(id, move, changes)
    }

    /// Commits that the file of an imported item must be checked again, and posts the item.
    func recheck(_ id: ItemID) throws(SQLiteError) -> MediaItem? {
        try move(id, .recheck, .failure(nil), .readyAt(nil))
    }

    /// Commits a move of a running download, with other changes, and posts it.
    ///
    /// - Throws: `CancellationError` if the item no longer exists or is no longer being downloaded,
    ///   and `SQLiteError`.
    func advance(_ id: ItemID, _ move: ItemMove, _ changes: ItemChange...) throws {
        guard try update(id, move, changes) != nil else { throw CancellationError() }
    }

    private func update(
        _ id: ItemID,
        _ move: ItemMove?,
        _ changes: [ItemChange]
    ) throws(SQLiteError) -> MediaItem? {
        try commit { () throws(SQLiteError) in
            guard let (old, new) = try registry.replace(id, move, changes) else {
                return (nil, nil)
            }
            return (new, { self.publish(old, changedTo: new) })
        }
    }

    /// Commits another address of an item with its checks in one transaction, and posts the item.
    ///
    /// - Throws: `SQLiteError` if the registry is not writable; nothing is posted then.
    func replaceAddress(
        of id: ItemID,
        by address: WebAddress,
        isUnrecorded: Bool
    ) throws(SQLiteError) -> AddressChange {
        try commit { () throws(SQLiteError) in
            let change = try registry.replaceAddress(
                of: id,
                by: address,
                isUnrecorded: isUnrecorded
            )
            guard case .changed(let old, let new) = change else { return (change, nil) }
            return (change, { self.publish(old, changedTo: new) })
        }
    }

    /// Commits a move of a queued item in the order of the queue, and posts the changed items.
    ///
    /// - Returns: Whether the item is queued.
    /// - Throws: `SQLiteError` if the registry is not writable; nothing is posted then.
    func reorder(_ id: ItemID, _ place: QueuePlace) throws(SQLiteError) -> Bool {
        try commit { () throws(SQLiteError) in
            guard let changed = try registry.reorder(id, place) else { return (false, nil) }
            return (true, { for (old, new) in changed { self.publish(old, changedTo: new) } })
        }
    }

    /// Commits a move of some items in a state to another state, and posts them.
    ///
    /// - Returns: The number of changed items; 0 after the last one.
    /// - Throws: `SQLiteError` if the registry is not writable; nothing is posted then.
    func moveSome(from state: ItemState, _ move: ItemMove) throws(SQLiteError) -> Int {
        try commit { () throws(SQLiteError) in
            let changed = try registry.moveSome(from: state, move)
            return (
                changed.count, { for (old, new) in changed { self.publish(old, changedTo: new) } }
            )
        }
    }

    func remove(_ id: ItemID) throws(SQLiteError) {
        try commit { () throws(SQLiteError) in
            let old = try registry.item(id)
            let wasCollected = try registry.isCollected(id)
            try registry.remove(id)
            return ((), { self.publish(removed: id, old, fromCollection: wasCollected) })
        }
    }

    /// Posts a message after all earlier changes.
    func post(_ message: some Message) {
        deliveries.withLock { queue in
            queue.pending.append { self.messages.post(message) }
        }
        deliver()
    }

    /// Commits a change and queues its delivery under one lock, so that both have the same order.
    func commit<Value: Sendable>(
        _ change: () throws(SQLiteError) -> (value: Value, delivery: (@Sendable () -> Void)?)
    ) throws(SQLiteError) -> Value {
        let value = try deliveries.withLock { queue throws(SQLiteError) in
            let (value, delivery) = try change()
            if let delivery { queue.pending.append(delivery) }
            return value
        }
        deliver()
        return value
    }

    private func deliver() {
        guard deliveries.withLock({ $0.begin() }) else { return }
        while let next = deliveries.withLock({ $0.popNext() }) { next() }
    }

    func publish(inserted item: MediaItem) {
        counts.update { $0.replace(nil, by: item) }
        messages.post(DownloadQueued(item: item))
    }

    /// Posts one message, because an import can have any number of items.
    private func publish(imported items: [MediaItem]) {
        counts.update { counts in
            for item in items { counts.replace(nil, by: item) }
        }
        messages.post(ItemsImported(count: items.count))
    }

    private func publish(_ old: MediaItem, changedTo new: MediaItem) {
        counts.update { $0.replace(old, by: new) }
        messages.post(ItemChanged(item: new))
    }

    func publish(removed id: ItemID, _ old: MediaItem?, fromCollection wasCollected: Bool) {
        counts.update { $0.replace(old, by: nil) }
        messages.post(ItemRemoved(id: id))
        if wasCollected { messages.post(CollectionsChanged()) }
    }
}
