// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
package import TidingsSQLite

/// Changes the collections of items, in transactions that the journal of OfflineDownloads posts.
package struct CollectionWriter: Sendable {
    let registry: Registry

    /// Inserts a collection.
    package func makeCollection(
        _ name: CollectionName,
        _ items: [ItemID],
        at date: Date
    ) throws(SQLiteError) -> CollectionResult {
        try registry.transaction { connection throws(SQLiteError) in
            if let other = try CollectionReader.collection(connection, named: name) {
                return .nameInUse(other.name)
            }
            if let missing = try Self.missing(connection, items) { return .noItem(missing) }
            let id = try Self.insert(connection, name, at: date)
            try Self.append(connection, CollectionItems.replace(items).applied(to: []), to: id)
            return .changed(try CollectionReader.collections(connection, where: "id = \(id)")[0])
        }
    }

    /// Changes the name or the items of a collection, or both or neither.
    package func change(
        _ id: CollectionID,
        name: CollectionName?,
        items: CollectionItems?
    ) throws(SQLiteError) -> CollectionResult {
        try registry.transaction { connection throws(SQLiteError) in
            guard let old = try CollectionReader.collections(connection, where: "id = \(id)").first
            else { return .noCollection }
            if let name, let other = try CollectionReader.collection(connection, named: name),
                other.id != id
            {
                return .nameInUse(other.name)
            }
            if let missing = try Self.missing(connection, items?.required ?? []) {
                return .noItem(missing)
            }
            var new = old
            if let name { new.name = name.text }
            if let items { new.items = items.applied(to: old.items) }
            guard new != old else { return .unchanged(old) }
            if let name { try Self.rename(connection, id, to: name) }
            try Self.set(connection, new.items, insteadOf: old.items, of: id)
            return .changed(new)
        }
    }

    /// Removes a collection but keeps the items, and returns whether the collection existed.
    package func removeCollection(_ id: CollectionID) throws(SQLiteError) -> Bool {
        try registry.withConnection { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM collections WHERE id = \(id)")
            return connection.changes > 0
        }
    }

    /// Inserts an empty collection.
    package static func insert(
        _ connection: SQLiteConnection,
        _ name: CollectionName,
        at date: Date
    ) throws(SQLiteError) -> CollectionID {
        try connection.execute(
            "INSERT INTO collections (name, folded_name, created_at) VALUES (?, ?, ?)",
            .text(name.text),
            .text(name.folded),
            .real(date.timeIntervalSince1970)
        )
        return CollectionID(rawValue: Int64(connection.lastInsertedRow))
    }

    /// Adds items at the end of a collection that contains none of these items.
    package static func append(
        _ connection: SQLiteConnection,
        _ items: some Sequence<ItemID>,
        to id: CollectionID
    ) throws(SQLiteError) {
        var position =
            try connection.rows(
                """
                SELECT coalesce(max(position), 0) AS last FROM collection_items
                WHERE collection = \(id)
                """
            ) { row throws(SQLiteError) in try row.int("last") }.first ?? 0
        for item in items {
            position += 1
            try connection.execute(
                "INSERT INTO collection_items (collection, item, position) VALUES (?, ?, ?)",
                .id(id),
                .id(item),
                .integer(position)
            )
        }
    }

    /// Replaces the items of a collection, and writes only the added items if all old items stay in
    /// place.
    private static func set(
        _ connection: SQLiteConnection,
        _ new: [ItemID],
        insteadOf old: [ItemID],
        of id: CollectionID
    ) throws(SQLiteError) {
        guard !new.starts(with: old) else {
            return try append(connection, new.dropFirst(old.count), to: id)
        }
        try connection.execute("DELETE FROM collection_items WHERE collection = \(id)")
        try append(connection, new, to: id)
    }

    private static func rename(
        _ connection: SQLiteConnection,
        _ id: CollectionID,
        to name: CollectionName
    ) throws(SQLiteError) {
        try connection.execute(
            "UPDATE collections SET name = ?, folded_name = ? WHERE id = \(id)",
            .text(name.text),
            .text(name.folded)
        )
    }

    /// Returns the first item that does not exist.
    private static func missing(
        _ connection: SQLiteConnection,
        _ items: [ItemID]
    ) throws(SQLiteError) -> ItemID? {
        for item in items {
            let found = try connection.rows("SELECT id FROM items WHERE id = ?", .id(item)) {
                row throws(SQLiteError) in try row.int("id")
            }
            if found.isEmpty { return item }
        }
        return nil
    }
}

/// The result of a change to a collection, where only `changed` and `unchanged` are successes.
package enum CollectionResult: Hashable, Sendable {
    case changed(MediaCollection)
    case unchanged(MediaCollection)
    case noCollection
    case noItem(ItemID)
    /// Another collection has the name, in the spelling given here.
    case nameInUse(String)
}
