// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineStore
import TidingsHTTP
import TidingsSQLite

extension ImportWriter {
    /// The number that stands for a removed item and that no item ever has.
    private static let removedItem = 0

    /// Inserts the feeds that are not followed, and the entries that a feed has not had.
    ///
    /// - Parameters:
    ///   - connection: The connection, in the transaction of the import.
    ///   - feeds: The feeds of the imported text.
    ///   - items: The items that belong to the item lines of the text.
    ///   - date: The time of the first check.
    ///   - result: The result, which receives the new feeds and the numbers of the report.
    /// - Throws: `SQLiteError`.
    static func insert(
        _ connection: SQLiteConnection,
        _ feeds: [ImportedFeed],
        items: [ItemOfLine],
        at date: Date,
        result: inout ImportResult
    ) throws(SQLiteError) {
        for feed in feeds {
            result.report.feeds += 1
            if feed.isWithoutOptions { result.report.withoutOptions += 1 }
            if feed.needsPermission { result.report.withoutPermission += 1 }
            let address = SQLiteValue.text(feed.request.address.text)
            let id: FeedID
            let known = try FollowedFeedReader.feeds(connection, where: "address = ?", address)
            if let known = known.first {
                result.report.knownFeeds += 1
                id = known.id
                if feed.request.allowsPrivateAddresses {
                    try connection.execute(
                        "UPDATE feeds SET allows_private = 1 WHERE id = ?",
                        .id(id)
                    )
                }
            } else {
                try FeedWriter.insert(
                    connection,
                    feed.request,
                    title: feed.title,
                    at: feed.createdAt,
                    nextCheck: date
                )
                id = FeedID(rawValue: Int64(connection.lastInsertedRow))
                result.feeds.append(id)
            }
            for entry in feed.entries { try insert(connection, entry, of: id, items: items) }
        }
    }

    /// Inserts an entry if the entry is new to the feed, and adds any names that are new.
    private static func insert(
        _ connection: SQLiteConnection,
        _ entry: ImportedFeed.Entry,
        of feed: FeedID,
        items: [ItemOfLine]
    ) throws(SQLiteError) {
        let line = entry.line
        let known = try number(connection, of: line.entry, feed)
        let number =
            if let known { known } else { try insert(connection, line, of: feed, items: items) }
        for name in line.entry {
            try connection.execute(
                "INSERT OR IGNORE INTO feed_names (feed, name, entry) VALUES (?, ?, ?)",
                .id(feed),
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
                .id(feed),
                .text(name)
            ) { row throws(SQLiteError) in try row.int("entry") }
            if let number = found.first { return number }
        }
        return nil
    }

    private static func insert(
        _ connection: SQLiteConnection,
        _ line: LibraryDocument.Entry,
        of feed: FeedID,
        items: [ItemOfLine]
    ) throws(SQLiteError) -> Int {
        let item = line.item.map { items[$0 - 1] }
        // An item that the library had before the import belongs to the user.
        let isFetched = line.fetched == true && item?.isNew ?? true
        try connection.execute(
            """
            INSERT INTO feed_entries (feed, published, item, fetched)
            VALUES (?1, ?2, ?3, ?4 OR EXISTS (
                SELECT 1 FROM feed_entries AS other WHERE other.item = ?3 AND other.item > 0
                    AND other.fetched = 1
            ))
            """,
            .id(feed),
            .real(line.published),
            item.map { .id($0.item) }
                ?? (line.removed == true ? .integer(removedItem) : .null),
            .integer(isFetched ? 1 : 0)
        )
        return connection.lastInsertedRow
    }

    /// Inserts the collections of an import, or adds the items to collections of the same name.
    ///
    /// - Parameters:
    ///   - connection: The connection, in the transaction of the import.
    ///   - collections: The collections of the imported text.
    ///   - items: The items that belong to the item lines of the text.
    ///   - result: The result, which receives the numbers of the report.
    /// - Throws: `SQLiteError`.
    static func insert(
        _ connection: SQLiteConnection,
        _ collections: ImportedCollections,
        items: [ItemOfLine],
        result: inout ImportResult
    ) throws(SQLiteError) {
        for found in collections.list {
            result.report.collections += 1
            let old = try CollectionReader.collection(connection, named: found.name)
            if old != nil { result.report.knownCollections += 1 }
            let id =
                if let old { old.id } else {
                    try CollectionWriter.insert(connection, found.name, at: found.createdAt)
                }
            let present = old?.items ?? []
            // Two lines may refer to the same item of the library.
            let all = CollectionItems.add(found.items.map { items[$0 - 1].item })
                .applied(to: present)
            try CollectionWriter.append(connection, all.dropFirst(present.count), to: id)
        }
    }
}
