// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

/// The records about the finished files of items: chapters, text, checksums and times.
///
/// No message contains these records, so that their changes need no post.
package struct FileRecords: Sendable {
    let registry: Registry

    /// Returns the chapters of an item in order.
    package func chapters(of id: ItemID) throws(SQLiteError) -> [Chapter] {
        try registry.withConnection { connection throws(SQLiteError) in
            let last = ItemID(rawValue: id.rawValue - 1)
            return try Self.chapters(connection, after: last, through: id)[id] ?? []
        }
    }

    /// Returns the chapters of all items in a range of numbers.
    package static func chapters(
        _ connection: SQLiteConnection,
        after first: ItemID,
        through last: ItemID
    ) throws(SQLiteError) -> [ItemID: [Chapter]] {
        let rows = try connection.rows(
            """
            SELECT item, start, title FROM chapters WHERE item > ? AND item <= ?
            ORDER BY item, number
            """,
            .id(first),
            .id(last)
        ) { row throws(SQLiteError) in
            let chapter = (start: try row.double("start"), title: try row.text("title"))
            return (try row.id("item") as ItemID, chapter)
        }
        return Dictionary(grouping: rows) { $0.0 }.mapValues { Chapter.list($0.map(\.1)) }
    }

    /// Replaces the chapters of an item, and does nothing if the item no longer exists.
    package func setChapters(_ chapters: [Chapter], of id: ItemID) throws(SQLiteError) {
        try registry.transaction { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM chapters WHERE item = ?", .id(id))
            try Self.insert(connection, chapters, of: id)
        }
    }

    /// Inserts the chapters of an item without chapters.
    package static func insert(
        _ connection: SQLiteConnection,
        _ chapters: [Chapter],
        of id: ItemID
    ) throws(SQLiteError) {
        for (number, chapter) in chapters.enumerated() {
            try connection.execute(
                """
                INSERT INTO chapters (item, number, start, title)
                SELECT id, ?, ?, ? FROM items WHERE id = ?
                """,
                values: [.integer(number), .real(chapter.start), .text(chapter.title), .id(id)]
            )
        }
    }

    /// Records the SHA-256 of an item's file, unless a checksum exists or the file has changed.
    package func record(checksum: String, of item: MediaItem) throws(SQLiteError) {
        try registry.execute(
            """
            UPDATE items SET sha256 = ?
            WHERE id = ? AND sha256 IS NULL AND file_name = ? AND size = ?
            """,
            values: [
                .text(checksum), .id(item.id), .optional(item.fileName), .optional(item.size),
            ]
        )
    }

    /// Replaces the text in which a search looks for an item, or removes the text if `text` is
    /// empty.
    package func setText(_ text: String, of id: ItemID) throws(SQLiteError) {
        try registry.transaction { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM texts WHERE item = ?", .id(id))
            if text.isEmpty { return }
            try connection.execute(
                "INSERT INTO texts (item, content) SELECT id, ? FROM items WHERE id = ?",
                .text(text),
                .id(id)
            )
        }
    }
}
