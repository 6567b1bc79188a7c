// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
import TidingsHTTP
package import TidingsSQLite

extension Registry {
    /// Inserts a new item for a request.
    package func insert(
        _ request: DownloadRequest,
        state: ItemState = .queued,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        let request = try items.settled(request)
        return try transaction { connection throws(SQLiteError) in
            try Self.insert(connection, request, state: state, title: title, at: date)
        }
    }

    /// Returns the newest item of the request's origin and choice, or inserts a new one.
    ///
    /// A plain file is the same in each quality, so the item of a file matches every quality.
    package func insertUnlessKnown(
        _ request: DownloadRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> (item: MediaItem, isNew: Bool) {
        let request = try items.settled(request)
        return try transaction { connection throws(SQLiteError) in
            if let known = try ItemReader.newest(connection, request) {
                return (known, false)
            }
            return (
                try Self.insert(connection, request, state: .queued, title: title, at: date), true
            )
        }
    }

    /// Queues the items whose downloads were interrupted by the end of a process.
    package func requeueInterrupted() throws(SQLiteError) {
        let active = ItemState.allCases.filter(\.isActive).map { "'\($0.rawValue)'" }
        try execute(
            "UPDATE items SET state = ? WHERE state IN (\(active.joined(separator: ", ")))",
            .text(ItemState.queued.rawValue)
        )
    }

    /// Changes an item's row in one transaction.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - move: The move to another state, or nil to keep the state.
    ///   - changes: The other changes of the transaction.
    /// - Returns: The changed item, or nil if the item does not exist or the move is not legal.
    /// - Throws: `SQLiteError`, in which case no change is committed.
    package func update(
        _ id: ItemID,
        _ move: ItemMove?,
        with changes: [ItemChange]
    ) throws(SQLiteError) -> MediaItem? {
        try replace(id, move, with: changes)?.new
    }

    /// Changes an item's row as `update` does, and returns the item before and after the change.
    package func replace(
        _ id: ItemID,
        _ move: ItemMove?,
        with changes: [ItemChange]
    ) throws(SQLiteError) -> (old: MediaItem, new: MediaItem)? {
        try transaction { connection throws(SQLiteError) in
            try Self.replace(connection, id, move: move, with: changes)
        }
    }

    /// Changes an item's row in a transaction of the caller.
    package static func replace(
        _ connection: SQLiteConnection,
        _ id: ItemID,
        move: ItemMove?,
        with changes: [ItemChange]
    ) throws(SQLiteError) -> (old: MediaItem, new: MediaItem)? {
        guard let old = try ItemReader.row(connection, id) else { return nil }
        var new = old
        for change in changes {
            try change.apply(&new) { name, directory throws(SQLiteError) in
                try freeName(connection, name, in: directory, for: id)
            }
        }
        if let move {
            guard let state = old.item.state.after(move) else { return nil }
            new.item.fields.state = state
        }
        try save(connection, new, insteadOf: old)
        return try ItemReader.item(connection, id).map { (old.item, $0) }
    }

    /// Writes the columns in which a row differs from the row before.
    static func save(
        _ connection: SQLiteConnection,
        _ new: StoredItem,
        insteadOf old: StoredItem
    ) throws(SQLiteError) {
        let (before, after) = (try ItemColumns(of: old), try ItemColumns(of: new))
        let changed = after.values.indices.filter { after.values[$0] != before.values[$0] }
        guard !changed.isEmpty else { return }
        let list = changed.map { "\(after.names[$0]) = ?" }.joined(separator: ", ")
        try connection.execute(
            "UPDATE items SET \(list) WHERE id = ?",
            values: changed.map { after.values[$0] } + [.id(old.item.id)]
        )
    }

    /// Removes an item and its parts.
    package func remove(_ id: ItemID) throws(SQLiteError) {
        try execute("DELETE FROM items WHERE id = ?", .id(id))
    }

    static func insert(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest,
        state: ItemState,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        // For an entry of a feed, the title comes from the feed and not from the request.
        let isOfAddress = request.title == nil && title == Title(origin: request.origin).text
        let item = MediaItem(
            id: ItemID(rawValue: 0),
            origin: request.origin,
            choice: request.choice.choice(),
            allowsPrivateAddresses: request.allowsPrivateAddresses,
            hasPicture: false,
            position: try lastPosition(connection) + 1,
            titleSource: isOfAddress ? .address : .person,
            fields: ItemFields(title: title, state: state, createdAt: date, live: request.live)
        )
        let stored = StoredItem(
            item,
            options: request.options,
            picture: request.picture?.text,
            isSeparate: request.again
        )
        let id = try insert(connection, stored)
        return try ItemReader.items(connection, where: "id = ?", .id(id))[0]
    }

    /// Inserts a row with all columns of an item, and returns the identifier of the row.
    package static func insert(
        _ connection: SQLiteConnection,
        _ item: StoredItem
    ) throws(SQLiteError) -> ItemID {
        // The first column is the identifier, which SQLite chooses.
        let columns = try ItemColumns(of: item)
        let (names, values) = (columns.names.dropFirst(), columns.values.dropFirst())
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
            "INSERT INTO items (\(names.joined(separator: ", "))) VALUES (\(marks))",
            values: Array(values)
        )
        return ItemID(rawValue: Int64(connection.lastInsertedRow))
    }

    /// Returns the last position in the order of the queue.
    package static func lastPosition(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.rows("SELECT coalesce(max(position), 0) AS last FROM items") {
            row throws(SQLiteError) in Int64(try row.int("last"))
        }.first ?? 0
    }
}
