// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
package import TidingsSQLite

/// Reads the collections of items.
package struct CollectionReader: Sendable {
    let registry: Registry

    /// Returns all collections by name.
    package func collections() throws(SQLiteError) -> [MediaCollection] {
        guard registry.hasTables else { return [] }
        return try registry.withConnection { connection throws(SQLiteError) in
            try Self.collections(connection, where: "1")
        }
    }

    /// Returns the collection with a name in any case, or nil if there is none.
    package func collection(named name: CollectionName) throws(SQLiteError) -> MediaCollection? {
        guard registry.hasTables else { return nil }
        return try registry.withConnection { connection throws(SQLiteError) in
            try Self.collection(connection, named: name)
        }
    }

    /// Returns whether an item is in a collection.
    package func isCollected(_ id: ItemID) throws(SQLiteError) -> Bool {
        try registry.withConnection { connection throws(SQLiteError) in
            try !connection.rows(
                "SELECT item FROM collection_items WHERE item = ? LIMIT 1",
                .id(id)
            ) { row throws(SQLiteError) in try row.int("item") }.isEmpty
        }
    }

    /// Returns the collection with a name, in any case, or nil for an unknown name.
    package static func collection(
        _ connection: SQLiteConnection,
        named name: CollectionName
    ) throws(SQLiteError) -> MediaCollection? {
        try collections(connection, where: "folded_name = ?", .text(name.folded)).first
    }

    static func collections(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [MediaCollection] {
        var collections = try connection.rows(
            "SELECT * FROM collections WHERE \(condition) ORDER BY folded_name, id",
            values: values
        ) { row throws(SQLiteError) in
            MediaCollection(
                id: try row.id("id"),
                name: try row.text("name"),
                items: [],
                createdAt: Date(timeIntervalSince1970: try row.double("created_at"))
            )
        }
        for index in collections.indices {
            collections[index].items = try connection.rows(
                "SELECT item FROM collection_items WHERE collection = ? ORDER BY position",
                .id(collections[index].id)
            ) { row throws(SQLiteError) in try row.id("item") }
        }
        return collections
    }
}
