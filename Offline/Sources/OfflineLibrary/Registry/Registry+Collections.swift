// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock
import TidingsSQLite

extension Registry {
    /// The result of a change of a collection; only `changed` and `unchanged` are successes.
    enum CollectionResult: Hashable, Sendable {
        case changed(MediaCollection)
        case unchanged(MediaCollection)
        case noCollection
        case noItem(ItemID)
        /// Another collection has the name, which it writes like this.
        case nameInUse(String)
    }

    /// Returns all collections by name.
    func collections() throws(SQLiteError) -> [MediaCollection] {
        guard hasTables else { return [] }
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.collections(connection, where: "1")
        }
    }

    /// Returns the collection with a name in any case; nil if there is none.
    func collection(named name: CollectionName) throws(SQLiteError) -> MediaCollection? {
        guard hasTables else { return nil }
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.collection(connection, named: name)
        }
    }

    /// Inserts a collection.
    func makeCollection(
        _ name: CollectionName,
        _ items: [ItemID],
        at date: Date
    ) throws(SQLiteError) -> CollectionResult {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                if let other = try Self.collection(connection, named: name) {
                    return .nameInUse(other.name)
                }
                if let missing = try Self.missing(connection, items) { return .noItem(missing) }
                let id = try Self.insert(connection, name, at: date)
                try Self.append(
                    connection,
                    CollectionItems.replace(items).applied(to: []),
                    to: id
                )
                return .changed(try Self.collections(connection, where: "id = \(id)")[0])
            }
        }
    }

    /// Changes the name or the items of a collection, or both or neither.
    func change(
        _ id: CollectionID,
        name: CollectionName?,
        items: CollectionItems?
    ) throws(SQLiteError) -> CollectionResult {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                guard let old = try Self.collections(connection, where: "id = \(id)").first
                else { return .noCollection }
                if let name, let other = try Self.collection(connection, named: name),
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
    }

    /// Removes a collection and returns whether there was one; its items stay.
    func removeCollection(_ id: CollectionID) throws(SQLiteError) -> Bool {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM collections WHERE id = \(id)")
            return connection.changes > 0
        }
    }

    /// Returns whether an item is in a collection.
    func isCollected(_ id: ItemID) throws(SQLiteError) -> Bool {
        try connection.withLock { connection throws(SQLiteError) in
            try !connection.rows(
                "SELECT item FROM collection_items WHERE item = ? LIMIT 1",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in try row.int("item") }.isEmpty
        }
    }

    static func collection(
        _ connection: SQLiteConnection,
        named name: CollectionName
    ) throws(SQLiteError) -> MediaCollection? {
        try collections(connection, where: "folded_name = ?", .text(name.folded)).first
    }

    /// Inserts an empty collection.
    static func insert(
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

    /// Adds items at the end of a collection that has none of them.
    static func append(
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
                .integer(Int(id.rawValue)),
                .integer(Int(item.rawValue)),
                .integer(position)
            )
        }
    }

    /// Writes only the added items if those before them keep their places.
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

    /// Returns the first of these items that does not exist.
    private static func missing(
        _ connection: SQLiteConnection,
        _ items: [ItemID]
    ) throws(SQLiteError) -> ItemID? {
        for item in items {
            let found = try connection.rows(
                "SELECT id FROM items WHERE id = ?",
                .integer(Int(item.rawValue))
            ) { row throws(SQLiteError) in try row.int("id") }
            if found.isEmpty { return item }
        }
        return nil
    }

    private static func collections(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [MediaCollection] {
        var collections = try connection.rows(
            "SELECT * FROM collections WHERE \(condition) ORDER BY folded_name, id",
            values: values
        ) { row throws(SQLiteError) in
            MediaCollection(
                id: CollectionID(rawValue: Int64(try row.int("id"))),
                name: try row.text("name"),
                items: [],
                createdAt: Date(timeIntervalSince1970: try row.double("created_at"))
            )
        }
        for index in collections.indices {
            collections[index].items = try connection.rows(
                "SELECT item FROM collection_items WHERE collection = ? ORDER BY position",
                .integer(Int(collections[index].id.rawValue))
            ) { row throws(SQLiteError) in ItemID(rawValue: Int64(try row.int("item"))) }
        }
        return collections
    }
}
