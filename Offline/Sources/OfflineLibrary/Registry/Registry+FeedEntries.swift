// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

extension Registry {
    /// The number of entries of a feed to remember beside the ones in its document and the ones
    /// whose items exist.
    static let longestMemory = 20_000
    /// The number of names of an entry to remember beside those in the document.
    private static let mostNames = 6

    /// Returns the names of the entries that a feed has had.
    func seenEntries(of id: FeedID) throws(SQLiteError) -> Set<String> {
        try connection.withLock { connection throws(SQLiteError) in
            Set(
                try connection.rows(
                    "SELECT name FROM feed_names WHERE feed = ?",
                    .integer(Int(id.rawValue))
                ) { row throws(SQLiteError) in try row.text("name") }
            )
        }
    }

    /// Records a check in one transaction: the feed, its new entries and their items.
    ///
    /// - Parameters:
    ///   - update: The result of the check.
    ///   - date: The time of new items.
    ///   - memory: The number of entries to remember.
    /// - Returns: The feed and the new items; nil if it is no longer followed.
    /// - Throws: `SQLiteError`; nothing is recorded then.
    func record(
        _ update: FeedUpdate,
        at date: Date,
        memory: Int = longestMemory
    ) throws(SQLiteError) -> (feed: Feed, items: [MediaItem])? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let id = update.feed.id
                try Self.update(connection, update.feed)
                guard connection.changes > 0 else { return nil }
                var items: [MediaItem] = []
                for entry in update.entries {
                    if let item = try Self.insert(connection, entry, id, date) {
                        items.append(item)
                    }
                }
                if let names = update.names {
                    try Self.insert(connection, update.aliases, id, names)
                    try Self.forgetOldEntries(connection, id, names, memory)
                }
                return try Self.feeds(connection, where: "id = ?", .integer(Int(id.rawValue)))
                    .first.map { ($0, items) }
            }
        }
    }

    /// Returns the items that a feed has fetched.
    ///
    /// One that another feed holds, too, counts as kept.
    func feedItems(of id: FeedID) throws(SQLiteError) -> [FeedItem] {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.feedItems(connection, of: id)
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

    /// Records that the person keeps an item on purpose, whatever becomes of its feeds.
    ///
    /// - Returns: Whether there is such an item.
    @discardableResult
    func keep(_ id: ItemID) throws(SQLiteError) -> Bool {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.keep(connection, id)
            return connection.changes > 0
        }
    }

    static func keep(_ connection: SQLiteConnection, _ id: ItemID) throws(SQLiteError) {
        try connection.execute(
            "UPDATE items SET kept = 1 WHERE id = ?",
            .integer(Int(id.rawValue))
        )
    }

    /// Removes an item if newer ones of a feed replace it, decided in the same transaction: the
    /// person may have kept it in the meantime.
    ///
    /// - Returns: Whether it was removed.
    func removeExpired(_ id: ItemID, of feed: FeedID) throws(SQLiteError) -> Bool {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let number = SQLiteValue.integer(Int(feed.rawValue))
                guard let keep = try Self.feeds(connection, where: "id = ?", number).first?.keep,
                    FeedRetention.expired(try Self.feedItems(connection, of: feed), keep: keep)
                        .contains(id)
                else { return false }
                try connection.execute("DELETE FROM items WHERE id = ?", .integer(Int(id.rawValue)))
                return true
            }
        }
    }

    private static func feedItems(
        _ connection: SQLiteConnection,
        of id: FeedID
    ) throws(SQLiteError) -> [FeedItem] {
        try connection.rows(
            """
            SELECT item, items.title, max(published) AS published, items.state = ?1 AS ready,
                kept OR EXISTS (
                    SELECT 1 FROM feed_entries AS other
                    WHERE other.item = items.id AND other.feed != ?2
                ) AS kept
            FROM feed_entries JOIN items ON items.id = feed_entries.item
            WHERE feed = ?2 AND fetched = 1 GROUP BY items.id
            ORDER BY max(published) DESC, items.id DESC
            """,
            .text(ItemState.ready.rawValue),
            .integer(Int(id.rawValue))
        ) { row throws(SQLiteError) in
            FeedItem(
                id: ItemID(rawValue: Int64(try row.int("item"))),
                title: try row.text("title"),
                published: try row.double("published"),
                isKept: try row.int("kept") != 0,
                isReady: try row.int("ready") != 0
            )
        }
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
        let published = entry.choice.entry
        // Another process may have recorded it since the check has read the names.
        let known = try connection.rows(
            "SELECT entry FROM feed_names WHERE feed = ? AND name IN (?, ?) LIMIT 1",
            .integer(Int(feed.rawValue)),
            .text(published.identity),
            .text(published.key)
        ) { row throws(SQLiteError) in try row.int("entry") }
        guard known.isEmpty else { return nil }
        try connection.execute(
            "INSERT INTO feed_entries (feed, published) VALUES (?, ?)",
            .integer(Int(feed.rawValue)),
            .real(published.published)
        )
        let row = connection.lastInsertedRow
        for name in [published.identity, published.key] {
            try connection.execute(
                "INSERT OR IGNORE INTO feed_names (feed, name, entry) VALUES (?, ?, ?)",
                .integer(Int(feed.rawValue)),
                .text(name),
                .integer(row)
            )
        }
        guard let request = entry.request else { return nil }
        return try attach(connection, request, published.title, toEntry: row, date)
    }

    /// Gives an entry the item of its request; returns the item if it is new.
    private static func attach(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest,
        _ title: String,
        toEntry row: Int,
        _ date: Date
    ) throws(SQLiteError) -> MediaItem? {
        let known = try newest(connection, request)
        let item: MediaItem
        if let known {
            item = known
        } else {
            item = try insert(connection, request, .queued, title, date)
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

    /// Adds names of known entries, and forgets the oldest ones that the document no longer has.
    private static func insert(
        _ connection: SQLiteConnection,
        _ aliases: [FeedSelection.Alias],
        _ feed: FeedID,
        _ names: Set<String>
    ) throws(SQLiteError) {
        let id = SQLiteValue.integer(Int(feed.rawValue))
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

    /// Bounds the memory of a feed that invents new entries in each document: forgets the oldest
    /// ones that the document no longer names and whose items no longer exist.
    private static func forgetOldEntries(
        _ connection: SQLiteConnection,
        _ feed: FeedID,
        _ names: Set<String>,
        _ memory: Int
    ) throws(SQLiteError) {
        let id = SQLiteValue.integer(Int(feed.rawValue))
        let count =
            try connection.rows(
                "SELECT count(*) AS count FROM feed_entries WHERE feed = ?",
                id
            ) { row throws(SQLiteError) in try row.int("count") }.first ?? 0
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
