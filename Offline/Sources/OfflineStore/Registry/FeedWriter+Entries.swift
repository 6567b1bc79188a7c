// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
import OfflineSources
import TidingsHTTP
package import TidingsSQLite

extension FeedWriter {
    /// The number of entries of a feed to remember, besides the entries in the feed's document and
    /// the entries whose items exist.
    static let longestMemory = 20_000
    /// The number of names of an entry to remember, besides the names in the document.
    private static let mostNames = 6

    /// Records a check in one transaction, with the feed, the new entries and their items.
    ///
    /// - Parameters:
    ///   - update: The result of the check.
    ///   - date: The time of new items.
    ///   - memory: The number of entries to remember.
    /// - Returns: The feed and the new items, or nil if the feed is no longer followed.
    /// - Throws: `SQLiteError`, in which case nothing is recorded.
    package func record(
        _ update: FeedUpdate,
        at date: Date,
        memory: Int = longestMemory
    ) throws(SQLiteError) -> (feed: Feed, items: [MediaItem])? {
        try registry.transaction { connection throws(SQLiteError) in
            let id = update.feed.id
            try Self.update(connection, update.feed)
            guard connection.changes > 0 else { return nil }
            var items: [MediaItem] = []
            for entry in update.entries {
                if let item = try Self.insert(connection, entry, of: id, at: date) {
                    items.append(item)
                }
            }
            if let names = update.names {
                try Self.insert(connection, update.aliases, of: id, names: names)
                try Self.forgetOldEntries(connection, id, names: names, memory: memory)
            }
            return try FollowedFeedReader.feeds(connection, where: "id = ?", .id(id))
                .first.map { ($0, items) }
        }
    }

    /// Removes an item if newer items of a feed replace the item.
    ///
    /// The method decides in the same transaction, because the user may have kept the item in the
    /// meantime.
    ///
    /// - Returns: Whether the item was removed.
    package func removeExpired(_ id: ItemID, of feed: FeedID) throws(SQLiteError) -> Bool {
        try registry.transaction { connection throws(SQLiteError) in
            let number = SQLiteValue.id(feed)
            let found = try FollowedFeedReader.feeds(connection, where: "id = ?", number).first
            guard let keep = found?.keep else { return false }
            let items = try FollowedFeedReader.feedItems(connection, of: feed)
            guard FeedRetention.expired(items, keep: keep).contains(id) else { return false }
            try connection.execute("DELETE FROM items WHERE id = ?", .id(id))
            return true
        }
    }

    private static func update(_ connection: SQLiteConnection, _ feed: Feed) throws(SQLiteError) {
        try connection.execute(
            "UPDATE OR IGNORE feeds SET address = ? WHERE id = ?",
            .text(feed.address.text),
            .id(feed.id)
        )
        try connection.execute(
            """
            UPDATE feeds SET title = ?, checked_at = ?, next_check = ?, failures = ?,
                error_code = ?, error_message = ?, period = ?, tag = ?, modified = ?,
                entry_count = ?, without_media = ?
            WHERE id = ?
            """,
            values: [
                .text(feed.title), feed.checkedAt.map { .real($0.timeIntervalSince1970) },
                feed.nextCheck.map { .real($0.timeIntervalSince1970) }, .integer(feed.failures),
                .optional(feed.failure?.code), .optional(feed.failure?.message),
                feed.period.map { .real(Double($0.components.seconds)) },
                .optional(feed.validators.tag), .optional(feed.validators.modified),
                .integer(feed.entryCount), .integer(feed.withoutMedia), .id(feed.id),
            ]
        )
    }

    /// Inserts an entry that is not known yet, and returns the item if the item is new.
    private static func insert(
        _ connection: SQLiteConnection,
        _ entry: FeedUpdate.Entry,
        of feed: FeedID,
        at date: Date
    ) throws(SQLiteError) -> MediaItem? {
        let published = entry.choice.entry
        // Another process may have recorded the entry after the check had read the names.
        let known = try connection.rows(
            "SELECT entry FROM feed_names WHERE feed = ? AND name IN (?, ?) LIMIT 1",
            .id(feed),
            .text(published.identity),
            .text(published.key)
        ) { row throws(SQLiteError) in try row.int("entry") }
        guard known.isEmpty else { return nil }
        try connection.execute(
            "INSERT INTO feed_entries (feed, published) VALUES (?, ?)",
            .id(feed),
            .real(published.published)
        )
        let row = connection.lastInsertedRow
        for name in [published.identity, published.key] {
            try connection.execute(
                "INSERT OR IGNORE INTO feed_names (feed, name, entry) VALUES (?, ?, ?)",
                .id(feed),
                .text(name),
                .integer(row)
            )
        }
        guard let request = entry.request else { return nil }
        return try attach(connection, request, title: published.title, toEntry: row, at: date)
    }

    /// Connects an entry with the item of a request, and returns the item if the item is new.
    private static func attach(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest,
        title: String,
        toEntry row: Int,
        at date: Date
    ) throws(SQLiteError) -> MediaItem? {
        let known = try ItemReader.newest(connection, request)
        let item: MediaItem
        if let known {
            item = known
        } else {
            item = try Registry.insert(connection, request, state: .queued, title: title, at: date)
        }
        // Another feed may have fetched the same address, in which case both feeds hold the item.
        try connection.execute(
            """
            UPDATE feed_entries SET item = ?1, fetched = ?2 OR EXISTS (
                SELECT 1 FROM feed_entries AS other WHERE other.item = ?1 AND other.fetched = 1
            ) WHERE number = ?3
            """,
            .id(item.id),
            .integer(known == nil ? 1 : 0),
            .integer(row)
        )
        return known == nil ? item : nil
    }

    /// Adds names of known entries, and forgets the oldest names that the document no longer has.
    private static func insert(
        _ connection: SQLiteConnection,
        _ aliases: [FeedSelection.Alias],
        of feed: FeedID,
        names: Set<String>
    ) throws(SQLiteError) {
        let id = SQLiteValue.id(feed)
        for alias in aliases {
            try connection.execute(
                """
                INSERT OR IGNORE INTO feed_names (feed, name, entry)
                SELECT feed, ?, entry FROM feed_names WHERE feed = ? AND name = ?
                """,
                .text(alias.name),
                id,
                .text(alias.known)
            )
            let all = try connection.rows(
                """
                SELECT number, name FROM feed_names WHERE entry = (
                    SELECT entry FROM feed_names WHERE feed = ? AND name = ?
                ) ORDER BY number DESC
                """,
                id,
                .text(alias.name)
            ) { row throws(SQLiteError) in (try row.int("number"), try row.text("name")) }
            for (number, name) in all.dropFirst(mostNames) where !names.contains(name) {
                try connection.execute("DELETE FROM feed_names WHERE number = ?", .integer(number))
            }
        }
    }

    /// Forgets the oldest entries that the document no longer names and whose items no longer
    /// exist.
    ///
    /// This limits the memory for a feed that invents new entries in each document.
    private static func forgetOldEntries(
        _ connection: SQLiteConnection,
        _ feed: FeedID,
        names: Set<String>,
        memory: Int
    ) throws(SQLiteError) {
        let id = SQLiteValue.id(feed)
        let count =
            try connection.rows("SELECT count(*) AS count FROM feed_entries WHERE feed = ?", id) {
                row throws(SQLiteError) in try row.int("count")
            }.first ?? 0
        guard count > memory else { return }
        let named = try connection.rows("SELECT entry, name FROM feed_names WHERE feed = ?", id) {
            row throws(SQLiteError) in
            names.contains(try row.text("name")) ? try row.int("entry") : nil
        }
        let present = Set(named.compactMap(\.self))
        let free = try connection.rows(
            """
            SELECT number FROM feed_entries WHERE feed = ? AND NOT EXISTS (
                SELECT 1 FROM items WHERE items.id = item
            ) ORDER BY number
            """,
            id
        ) { row throws(SQLiteError) in try row.int("number") }
        for number in free.lazy.filter({ !present.contains($0) }).prefix(count - memory) {
            try connection.execute("DELETE FROM feed_entries WHERE number = ?", .integer(number))
        }
    }
}
