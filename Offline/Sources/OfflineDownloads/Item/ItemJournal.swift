// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
package import OfflineStore
package import Tidings
package import TidingsHTTP
import TidingsLock
package import TidingsSQLite

/// Commits every change of an item to the registry and then posts it.
///
/// The journal is safe to use from any thread. The journal delivers messages and states in the
/// order of the commits, without a lock held, on the thread of a caller. While one thread delivers,
/// the same thread also delivers the changes of other threads, and the calls of those threads
/// return immediately.
package final class ItemJournal: Sendable {
    private let registry: Registry
    /// The center that receives the messages.
    package let messages: MessageCenter
    /// The numbers of items.
    ///
    /// Only the registry holds the items, because the cost of a change must not grow with the
    /// library.
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

    /// Creates a journal and counts the items of the registry.
    package init(registry: Registry, messages: MessageCenter) throws(SQLiteError) {
        self.registry = registry
        self.messages = messages
        counts = StatePublisher()
        // Counting reads every row, so that the library detects a damaged row when the library
        // opens.
        counts.updateData(try registry.items.counts())
    }

    /// The items, to read.
    package var items: ItemReader { registry.items }
    /// The records about finished files.
    package var files: FileRecords { registry.files }
    /// The records of unfinished downloads.
    package var downloads: DownloadRecords { registry.downloads }
    /// The followed feeds, to read.
    package var feeds: FollowedFeedReader { registry.feeds }
    /// The collections, to read.
    package var collections: CollectionReader { registry.collections }
    /// The preferences and settings.
    package var preferences: Preferences { registry.preferences }
    /// The devices that may use the library over the local network.
    package var devices: DeviceTable { registry.devices }
    /// The queued items, to read.
    var queue: QueueReader { QueueReader(registry: registry) }

    /// Whether the opening of the library has created the registry.
    package var isNew: Bool { registry.isNew }

    /// Leaves the registry to the next process, as `Registry.leaveWhole` describes.
    package func leaveWhole() {
        registry.leaveWhole()
    }

    /// Inserts an item for the request and posts the item.
    package func insert(
        _ request: DownloadRequest,
        state: ItemState = .queued,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        try commit { registry throws(SQLiteError) in
            let item = try registry.insert(request, state: state, title: title, at: date)
            return (item, { self.publish(inserted: item) })
        }
    }

    /// Inserts an item for the request unless an item with the same origin and choice exists.
    package func insertUnlessKnown(
        _ request: DownloadRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> (item: MediaItem, isNew: Bool) {
        try commit { registry throws(SQLiteError) in
            let result = try registry.insertUnlessKnown(request, title: title, at: date)
            guard result.isNew else { return (result, nil) }
            return (result, { self.publish(inserted: result.item) })
        }
    }

    /// Inserts the items of files in the media folder, and posts one message about all of these
    /// items.
    package func insert(_ files: [ImportedFile], at date: Date) throws(SQLiteError) -> [MediaItem] {
        try commit { registry throws(SQLiteError) in
            let items = try registry.insert(files, at: date)
            guard !items.isEmpty else { return (items, nil) }
            return (items, { self.publish(imported: items) })
        }
    }

    /// Commits changes of an item in one transaction and posts the changes.
    ///
    /// - Returns: The changed item, or nil if the item does not exist.
    /// - Throws: `SQLiteError` if the registry is not writable. In that case, the journal posts
    ///   nothing.
    @discardableResult
    package func change(_ id: ItemID, _ changes: ItemChange...) throws(SQLiteError) -> MediaItem? {
        try change(id, changes)
    }

    /// Commits changes of an item in one transaction and posts the changes.
    package func change(_ id: ItemID, _ changes: [ItemChange]) throws(SQLiteError) -> MediaItem? {
        try update(id, nil, changes: changes)
    }

    /// Commits a move of an item to another state, with other changes, and posts the result.
    ///
    /// - Returns: The changed item, or nil if the item does not exist or the move is not legal.
    /// - Throws: `SQLiteError` if the registry is not writable. In that case, the journal posts
    ///   nothing.
    @discardableResult
    package func move(
        _ id: ItemID,
        _ move: ItemMove,
        with changes: ItemChange...
    ) throws(SQLiteError) -> MediaItem? {
        try update(id, move, changes: changes)
    }

    /// Commits that the file of an imported item must be checked again, and posts the item.
    package func recheck(_ id: ItemID) throws(SQLiteError) -> MediaItem? {
        try move(id, .recheck, with: .set(\.error, nil), .set(\.readyAt, nil))
    }

    /// Commits a move of a running download, with other changes, and posts the result.
    ///
    /// - Throws: `CancellationError` if the item no longer exists or is no longer being downloaded,
    ///   and `SQLiteError`.
    func advance(_ id: ItemID, _ move: ItemMove, with changes: ItemChange...) throws {
        guard try update(id, move, changes: changes) != nil else { throw CancellationError() }
    }

    private func update(
        _ id: ItemID,
        _ move: ItemMove?,
        changes: [ItemChange]
    ) throws(SQLiteError) -> MediaItem? {
        try commit { registry throws(SQLiteError) in
            guard let (old, new) = try registry.replace(id, move, with: changes) else {
                return (nil, nil)
            }
            return (new, { self.publish(old, changedTo: new) })
        }
    }

    /// Commits another address of an item with the checks in one transaction, and posts the item.
    ///
    /// - Throws: `SQLiteError` if the registry is not writable. In that case, the journal posts
    ///   nothing.
    package func replaceAddress(
        of id: ItemID,
        by address: WebAddress,
        isUnrecorded: Bool
    ) throws(SQLiteError) -> AddressChange {
        try commit { registry throws(SQLiteError) in
            let change = try registry.replaceAddress(
                of: id,
                by: address,
                isUnrecorded: isUnrecorded
            )
            guard case .changed(let old, let new) = change else { return (change, nil) }
            return (change, { self.publish(old, changedTo: new) })
        }
    }

    /// Commits that an item's address has a file, unless another item keeps that file, and posts
    /// the item.
    ///
    /// - Returns: The other item, as `Registry.claimFile` describes.
    func claimFile(of id: ItemID, at address: WebAddress) throws(SQLiteError) -> ItemID? {
        try commit { registry throws(SQLiteError) in
            let (other, changed) = try registry.claimFile(of: id, at: address)
            guard let changed, changed.old != changed.new else { return (other, nil) }
            return (other, { self.publish(changed.old, changedTo: changed.new) })
        }
    }

    /// Commits a move of a queued item in the order of the queue, and posts the changed items.
    ///
    /// - Returns: Whether the item is queued.
    /// - Throws: `SQLiteError` if the registry is not writable. In that case, the journal posts
    ///   nothing.
    package func reorder(_ id: ItemID, _ place: QueuePlace) throws(SQLiteError) -> Bool {
        try commit { registry throws(SQLiteError) in
            guard let changed = try QueueOrder(registry: registry).reorder(id, place) else {
                return (false, nil)
            }
            return (true, { for (old, new) in changed { self.publish(old, changedTo: new) } })
        }
    }

    /// Commits a move of some items in a state to another state, and posts the changed items.
    ///
    /// - Returns: The number of changed items, or 0 after the last item.
    /// - Throws: `SQLiteError` if the registry is not writable. In that case, the journal posts
    ///   nothing.
    package func moveSome(from state: ItemState, _ move: ItemMove) throws(SQLiteError) -> Int {
        try commit { registry throws(SQLiteError) in
            let changed = try QueueOrder(registry: registry).moveSome(from: state, move)
            return (
                changed.count, { for (old, new) in changed { self.publish(old, changedTo: new) } }
            )
        }
    }

    /// Removes an item and posts the removal.
    package func remove(_ id: ItemID) throws(SQLiteError) {
        try commit { registry throws(SQLiteError) in
            let old = try registry.items.item(id)
            let wasCollected = try registry.collections.isCollected(id)
            try registry.remove(id)
            return ((), { self.publish(removed: id, old, fromCollection: wasCollected) })
        }
    }

    /// Posts a message after all earlier changes.
    package func post(_ message: some Message) {
        deliveries.withLock { queue in
            queue.pending.append { self.messages.post(message) }
        }
        deliver()
    }

    /// Commits a change and queues the delivery under one lock, so that deliveries have the order
    /// of the commits.
    ///
    /// Only `change` has the registry, so that no change passes the journal.
    ///
    /// - Parameter change: Commits the change, and returns a value and a closure that
    ///   posts the change, or nil if nothing has changed.
    /// - Returns: The value.
    /// - Throws: `SQLiteError`. In that case, the journal posts nothing.
    package func commit<Value: Sendable>(
        _ change: (Registry) throws(SQLiteError) -> (
            value: Value, delivery: (@Sendable () -> Void)?
        )
    ) throws(SQLiteError) -> Value {
        let value = try deliveries.withLock { queue throws(SQLiteError) in
            let (value, delivery) = try change(registry)
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

    /// Posts one message about new items, because an import can have any number of items.
    package func publish(imported items: [MediaItem]) {
        counts.update { counts in
            for item in items { counts.replace(nil, by: item) }
        }
        messages.post(ItemsImported(count: items.count))
    }

    /// Posts a change of an item.
    package func publish(_ old: MediaItem, changedTo new: MediaItem) {
        counts.update { $0.replace(old, by: new) }
        messages.post(ItemChanged(item: new))
    }

    func publish(removed id: ItemID, _ old: MediaItem?, fromCollection wasCollected: Bool) {
        counts.update { $0.replace(old, by: nil) }
        messages.post(ItemRemoved(id: id))
        if wasCollected { messages.post(CollectionsChanged()) }
    }
}
