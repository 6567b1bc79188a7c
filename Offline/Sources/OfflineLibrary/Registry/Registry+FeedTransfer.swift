// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// Reads and adds the feeds of a library at once, for its export and import.
///
/// Only this file of the export and import knows the tables of the feeds.
extension Registry {
    /// An entry that a feed has had.
    struct StoredEntry: Sendable {
        let number: Int
        /// The names by which the feed recognizes it, the oldest first.
        let names: [String]
        let published: Double
        /// The item, which may have been removed.
        let item: ItemID?
        /// Whether the feed has fetched the item.
        let isFetched: Bool
    }

    /// The number of entries that are in memory at once.
    private static let entryCount = 1_000
    /// The number of an item that has been removed; no item ever has it.
    private static let removedItem = 0

    /// The column of a query of `items` that says whether a feed has an item.
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
        try connection.withLock { connection throws(SQLiteError) in
            let names = try names(connection, of: feed, after: last)
            return try connection.rows(
                """
                SELECT * FROM feed_entries WHERE feed = ? AND number > ? ORDER BY number LIMIT ?
                """,
                .integer(Int(feed.rawValue)),
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
            .integer(Int(feed.rawValue)),
            .integer(last),
            .integer(Self.entryCount)
        ) { row throws(SQLiteError) in (entry: try row.int("entry"), name: try row.text("name")) }
        return Dictionary(grouping: rows) { $0.entry }.mapValues { $0.map(\.name) }
    }

    /// Inserts the feeds that are not followed, and the entries that a feed has not had.
    ///
    /// - Parameters:
    ///   - connection: The connection, in the transaction of the import.
    ///   - feeds: The feeds of the text.
    ///   - items: The item of each line of an item.
    ///   - date: The time of the first check.
    ///   - result: Gets the new feeds and the numbers of the report.
    /// - Throws: `SQLiteError`.
    static func insert(
        _ connection: SQLiteConnection,
        _ feeds: [ImportedFeed],
        _ items: [ItemOfLine],
        at date: Date,
        _ result: inout ImportResult
    ) throws(SQLiteError) {
        for feed in feeds {
            result.report.feeds += 1
            if feed.isWithoutOptions { result.report.withoutOptions += 1 }
            if feed.needsPermission { result.report.withoutPermission += 1 }
            let address = SQLiteValue.text(feed.request.address.text)
            let id: FeedID
            if let known = try Self.feeds(connection, where: "address = ?", address).first {
                result.report.knownFeeds += 1
                id = known.id
                if feed.request.allowsPrivateAddresses {
                    try connection.execute(
                        "UPDATE feeds SET allows_private = 1 WHERE id = ?",
                        .integer(Int(id.rawValue))
                    )
                }
            } else {
                try insert(connection, feed.request, feed.title, feed.createdAt, nextCheck: date)
                id = FeedID(rawValue: Int64(connection.lastInsertedRow))
                result.feeds.append(id)
            }
            for entry in feed.entries { try insert(connection, entry, id, items) }
        }
    }

    /// Inserts an entry unless the feed has had it, and its names that are new.
    private static func insert(
        _ connection: SQLiteConnection,
        _ entry: ImportedFeed.Entry,
        _ feed: FeedID,
        _ items: [ItemOfLine]
    ) throws(SQLiteError) {
        let line = entry.line
        let known = try number(connection, of: line.entry, feed)
        let number = if let known { known } else { try insert(connection, line, feed, items) }
        for name in line.entry {
            try connection.execute(
                "INSERT OR IGNORE INTO feed_names (feed, name, entry) VALUES (?, ?, ?)",
                .integer(Int(feed.rawValue)),
                .text(name),
                .integer(number)
            )
        }
    }

    /// Returns the number of the entry with one of these names.
    private static func number(
        _ connection: SQLiteConnection,
        of names: [String],
        _ feed: FeedID
    ) throws(SQLiteError) -> Int? {
        for name in names {
            let found = try connection.rows(
                "SELECT entry FROM feed_names WHERE feed = ? AND name = ?",
                .integer(Int(feed.rawValue)),
                .text(name)
            ) { row throws(SQLiteError) in try row.int("entry") }
            if let number = found.first { return number }
        }
        return nil
    }

    private static func insert(
        _ connection: SQLiteConnection,
        _ line: LibraryDocument.Entry,
        _ feed: FeedID,
        _ items: [ItemOfLine]
    ) throws(SQLiteError) -> Int {
        let item = line.item.map { items[$0 - 1] }
        // An item that the library had before the text belongs to the person.
        let isFetched = line.fetched == true && item?.isNew ?? true
        try connection.execute(
            """
            INSERT INTO feed_entries (feed, published, item, fetched)
            VALUES (?1, ?2, ?3, ?4 OR EXISTS (
                SELECT 1 FROM feed_entries AS other WHERE other.item = ?3 AND other.item > 0
                    AND other.fetched = 1
            ))
            """,
            .integer(Int(feed.rawValue)),
            .real(line.published),
            item.map { .integer(Int($0.item.rawValue)) }
                ?? (line.removed == true ? .integer(removedItem) : .null),
            .integer(isFetched ? 1 : 0)
        )
        return connection.lastInsertedRow
    }
}
