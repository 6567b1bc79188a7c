// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import TidingsSQLite

/// An entry that a feed has had, for an export.
struct StoredEntry: Sendable {
    let number: Int
    /// The names by which the feed identifies the entry, the oldest first.
    let names: [String]
    let published: Double
    /// The item, which may have been removed.
    let item: ItemID?
    /// Whether the feed has fetched the item.
    let isFetched: Bool
}

extension ExportReader {
    /// The number of entries that are in memory at a time.
    private static let entryCount = 1_000

    /// The column of a query of `items` that shows whether a feed has an item.
    static let inFeed = "EXISTS (SELECT 1 FROM feed_entries WHERE item = items.id) AS in_feed"

    /// Calls a closure with each entry that a feed has had, the oldest first.
    ///
    /// - Throws: `SQLiteError`, and the error of the closure.
    func forEachEntry(of feed: FeedID, _ body: (StoredEntry) throws -> Void) throws {
        var last = 0
        while true {
            let entries = try storedEntries(of: feed, after: last)
            for entry in entries { try body(entry) }
            guard entries.count == Self.entryCount, let end = entries.last else { return }
            last = end.number
        }
    }

    private func storedEntries(
        of feed: FeedID,
        after last: Int
    ) throws(SQLiteError) -> [StoredEntry] {
        try registry.withConnection { connection throws(SQLiteError) in
            let names = try names(connection, of: feed, after: last)
            return try connection.rows(
                """
                SELECT * FROM feed_entries WHERE feed = ? AND number > ? ORDER BY number LIMIT ?
                """,
                .id(feed),
                .integer(last),
                .integer(Self.entryCount)
            ) { row throws(SQLiteError) in
                let number = try row.int("number")
                return StoredEntry(
                    number: number,
                    names: names[number] ?? [],
                    published: try row.double("published"),
                    item: try row.optionalInt("item").map { ItemID(rawValue: Int64($0)) },
                    isFetched: try row.int("fetched") != 0
                )
            }
        }
    }

    private func names(
        _ connection: SQLiteConnection,
        of feed: FeedID,
        after last: Int
    ) throws(SQLiteError) -> [Int: [String]] {
        let rows = try connection.rows(
            """
            SELECT entry, name FROM feed_names WHERE entry IN (
                SELECT number FROM feed_entries WHERE feed = ? AND number > ?
                ORDER BY number LIMIT ?
            ) ORDER BY number
            """,
            .id(feed),
            .integer(last),
            .integer(Self.entryCount)
        ) { row throws(SQLiteError) in (entry: try row.int("entry"), name: try row.text("name")) }
        return Dictionary(grouping: rows) { $0.entry }.mapValues { $0.map(\.name) }
    }
}
