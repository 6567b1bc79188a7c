// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

extension Registry {
    /// The number of entries of a feed to remember beside those with an item.
    private static let longestMemory = 100_000

    /// Returns the identities and the addresses that a feed has had.
    func seenEntries(of id: FeedID) throws(SQLiteError) -> Set<String> {
        let pairs = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT identity, address FROM feed_entries WHERE feed = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in (try row.text("identity"), try row.text("address")) }
        }
        return Set(pairs.map(\.0)).union(pairs.map(\.1))
    }

    /// Records a check in one transaction: the feed, its new entries and their items.
    ///
    /// - Returns: The feed and the new items; nil if it is no longer followed.
    func record(
        _ feed: Feed,
        _ entries: [FeedUpdate.Entry],
        at date: Date
    ) throws(SQLiteError) -> (feed: Feed, items: [MediaItem])? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try Self.update(connection, feed)
                guard connection.changes > 0 else { return nil }
                var items: [MediaItem] = []
                for entry in entries {
                    if let item = try Self.insert(connection, entry, feed.id, date) {
                        items.append(item)
                    }
                }
                if !entries.isEmpty { try Self.forgetOldEntries(connection, feed.id) }
                let id = SQLiteValue.integer(Int(feed.id.rawValue))
                return try Self.feeds(connection, where: "id = ?", id).first.map { ($0, items) }
            }
        }
    }

    /// Returns the items that a feed has fetched and no other feed holds.
    func feedItems(of id: FeedID) throws(SQLiteError) -> [FeedItem] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                """
                SELECT item, published, items.state = ? AS ready,
                    kept OR items.title != feed_entries.title OR EXISTS (
                        SELECT 1 FROM feed_entries AS other
                        WHERE other.item = items.id AND other.feed != feed_entries.feed
                    ) AS kept
                FROM feed_entries JOIN items ON items.id = feed_entries.item
                WHERE feed = ? AND fetched = 1 ORDER BY published DESC, items.id DESC
                """,
                .text(ItemState.ready.rawValue),
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in
                FeedItem(
                    id: ItemID(rawValue: Int64(try row.int("item"))),
                    published: try row.double("published"),
                    isKept: try row.int("kept") != 0,
                    isReady: try row.int("ready") != 0
                )
            }
        }
    }

    /// Returns the feeds that have fetched an item.
    func feeds(withItem id: ItemID) throws(SQLiteError) -> [FeedID] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT feed FROM feed_entries WHERE item = ? AND fetched = 1",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in FeedID(rawValue: Int64(try row.int("feed"))) }
        }
    }

    /// Records that the person keeps an item on purpose.
    ///
    /// - Returns: The feeds that have fetched it.
    @discardableResult
    func keep(_ id: ItemID) throws(SQLiteError) -> [FeedID] {
        let feeds = try feeds(withItem: id)
        guard !feeds.isEmpty else { return [] }
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                "UPDATE feed_entries SET kept = 1 WHERE item = ?",
                .integer(Int(id.rawValue))
            )
        }
        return feeds
    }

    private static func update(
        _ connection: SQLiteConnection,
        _ feed: Feed
    ) throws(SQLiteError) {
        try connection.execute(
            "UPDATE OR IGNORE feeds SET address = ? WHERE id = ?",
            .text(feed.address.text),
            .integer(Int(feed.id.rawValue))
        )
        try connection.execute(
            """
            UPDATE feeds SET title = ?, checked_at = ?, next_check = ?, failures = ?,
                error_code = ?, error_message = ?, period = ?, tag = ?, modified = ?,
                entry_count = ?, without_media = ?
            WHERE id = ?
            """,
            .text(feed.title),
            feed.checkedAt.map { .real($0.timeIntervalSince1970) },
            feed.nextCheck.map { .real($0.timeIntervalSince1970) },
            .integer(feed.failures),
            .optional(feed.failure?.code),
            .optional(feed.failure?.message),
            feed.period.map { .real(Double($0.components.seconds)) },
            .optional(feed.validators.tag),
            .optional(feed.validators.modified),
            .integer(feed.entryCount),
            .integer(feed.withoutMedia),
            .integer(Int(feed.id.rawValue))
        )
    }

    /// Inserts an entry unless it is known; returns its item if that is new.
    private static func insert(
        _ connection: SQLiteConnection,
        _ entry: FeedUpdate.Entry,
        _ feed: FeedID,
        _ date: Date
    ) throws(SQLiteError) -> MediaItem? {
        let choice = entry.choice
        try connection.execute(
            """
            INSERT OR IGNORE INTO feed_entries (feed, identity, address, title, published)
            VALUES (?, ?, ?, ?, ?)
            """,
            .integer(Int(feed.rawValue)),
            .text(choice.entry.identity),
            .text(choice.key),
            .text(choice.entry.title),
            .real(choice.entry.published)
        )
        guard connection.changes > 0, let request = entry.request else { return nil }
        let row = connection.lastInsertedRow
        let known = try newest(connection, request)
        let item: MediaItem
        if let known {
            item = known
        } else {
            item = try insert(connection, request, .queued, choice.entry.title, date)
        }
        // Another feed may have fetched the same address, and then both hold it.
        try connection.execute(
            """
            UPDATE feed_entries SET item = ?1, fetched = ?2 OR EXISTS (
                SELECT 1 FROM feed_entries AS other WHERE other.item = ?1 AND other.fetched = 1
            ) WHERE number = ?3
            """,
            .integer(Int(item.id.rawValue)),
            .integer(known == nil ? 1 : 0),
            .integer(row)
        )
        return known == nil ? item : nil
    }

    /// Bounds the memory of a feed that invents new entries in each document.
    private static func forgetOldEntries(
        _ connection: SQLiteConnection,
        _ feed: FeedID
    ) throws(SQLiteError) {
        try connection.execute(
            """
            DELETE FROM feed_entries WHERE feed = ?1 AND item IS NULL AND number <= (
                SELECT number FROM feed_entries WHERE feed = ?1 AND item IS NULL
                ORDER BY number DESC LIMIT 1 OFFSET ?2
            )
            """,
            .integer(Int(feed.rawValue)),
            .integer(longestMemory)
        )
    }
}
