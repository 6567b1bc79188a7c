// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineModel
import OfflineStore
import TidingsFiles
import TidingsSQLite

extension OpenLibrary {
    /// Creates items from the requests that other commands have stored.
    ///
    /// A request stays stored until the item is committed.
    ///
    /// - Returns: The items.
    @discardableResult
    func importRequests() -> [ItemID] {
        let inbox = RequestInbox(directory)
        return inbox.requests().compactMap { name, stored in
            // A newer version may have stored the request, and can read the file later.
            guard let request = stored.request else { return nil }
            guard let item = try? item(for: request, at: stored.date) else { return nil }
            _ = try? inbox.withdraw(name)
            return item.id
        }
    }

    /// Returns the item of a stored request.
    ///
    /// A process may have been killed after creating the item and before removing the request. That
    /// item has the time of the request.
    private func item(
        for request: DownloadRequest,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        if request.again, let item = try journal.items.item(of: request, at: date) {
            return item
        }
        return try register(request, at: date).item
    }

    /// Inserts or resumes the item of a request that was made at `date`.
    func register(
        _ request: DownloadRequest,
        at date: Date = Date()
    ) throws(SQLiteError) -> EnqueueResult {
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
        let title = request.title ?? Title(origin: request.origin).text
        guard !request.again else {
            return .created(try journal.insert(request, title: title, at: date))
        }
        let (known, isNew) = try journal.insertUnlessKnown(request, title: title, at: date)
        if isNew { return .created(known) }
        // From now on the user wants the item, so that no feed removes it.
        try journal.keep(known.id)
        if known.state == .ready, isWhole(known) { return .alreadyReady(known) }
        if !request.options.isEmpty { try journal.addOptions(request.options, to: known.id) }
        if request.allowsPrivateAddresses, !known.allowsPrivateAddresses {
            try journal.change(known.id, .allowsPrivateAddresses(true))
        }
        if let live = request.live, known.live != live, known.live?.isOver != true {
            try journal.change(known.id, .set(\.live, live))
        }
        guard !known.state.isActive else { return .resumed(known) }
        return .resumed(try requeue(known))
    }

    /// Returns the path of an item's finished file, or nil if the item is not ready.
    func path(of item: MediaItem) -> String? {
        guard item.state == .ready, let name = item.fileName else { return nil }
        return directory.mediaFile(name)
    }

    /// Whether the file of an item exists and has the recorded size.
    func isWhole(_ item: MediaItem) -> Bool {
        path(of: item).flatMap(SystemFile.size(of:)) == item.size
    }

    /// Queues an item again, unless the state has changed since the caller read the item.
    func requeue(_ item: MediaItem) throws(SQLiteError) -> MediaItem {
        let move: ItemMove = item.state == .ready ? .replace : .retry
        if let queued = try journal.move(item.id, move, with: .set(\.error, nil)) { return queued }
        return try journal.items.item(item.id) ?? item
    }
}

extension ItemJournal {
    /// Commits the options of a later request beside the options of an item, and posts the item.
    ///
    /// The commit covers the reading, so that no other change of the options is lost.
    fileprivate func addOptions(
        _ newer: RequestOptions,
        to id: ItemID
    ) throws(SQLiteError) {
        try commit { registry throws(SQLiteError) in
            let options = (try? registry.items.options(of: id)) ?? RequestOptions()
            let changes: [ItemChange] = [.options(options.updated(by: newer))]
            guard let (old, new) = try registry.replace(id, nil, with: changes) else {
                return ((), nil)
            }
            return ((), { self.publish(old, changedTo: new) })
        }
    }
}
