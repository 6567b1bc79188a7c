// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsHTTP
package import TidingsSQLite

/// Reads the followed feeds and the entries that the feeds have had.
package struct FollowedFeedReader: Sendable {
    let registry: Registry

    /// Returns all followed feeds in the order in which they were followed.
    package func feeds() throws(SQLiteError) -> [Feed] {
        guard registry.hasTables else { return [] }
        return try registry.withConnection { connection throws(SQLiteError) in
            try Self.feeds(connection, where: "1 ORDER BY id")
        }
    }

    /// Returns a feed, or nil if the feed is not followed.
    package func feed(_ id: FeedID) throws(SQLiteError) -> Feed? {
        try registry.withConnection { connection throws(SQLiteError) in
            try Self.feeds(connection, where: "id = ?", .id(id)).first
        }
    }

    /// Returns the options of a feed's requests.
    ///
    /// - Throws: `SQLiteError`, and `LibraryError` for options that this version cannot read.
    package func options(of id: FeedID) throws -> RequestOptions {
        let text =
            try registry.rows("SELECT options FROM feeds WHERE id = ?", .id(id)) {
                row throws(SQLiteError) in try row.optionalText("options")
            }.first ?? nil
        do {
            return try RequestOptions(stored: text)
        } catch {
            throw LibraryError(
                .invalidOption,
                "This version cannot read the stored options of the feed. Follow its address again "
                    + "with its headers, cookies or proxy."
            )
        }
    }

    /// Returns the names of the entries that a feed has had.
    package func seenEntries(of id: FeedID) throws(SQLiteError) -> Set<String> {
        try registry.withConnection { connection throws(SQLiteError) in
            Set(
                try connection.rows("SELECT name FROM feed_names WHERE feed = ?", .id(id)) {
                    row throws(SQLiteError) in try row.text("name")
                }
            )
        }
    }

    /// Returns the items that a feed has fetched.
    ///
    /// An item that another feed also holds counts as kept.
    package func feedItems(of id: FeedID) throws(SQLiteError) -> [FeedItem] {
        try registry.withConnection { connection throws(SQLiteError) in
            try Self.feedItems(connection, of: id)
        }
    }

    /// Returns the feeds that have fetched an item.
    package func feeds(withItem id: ItemID) throws(SQLiteError) -> [FeedID] {
        try registry.rows("SELECT feed FROM feed_entries WHERE item = ? AND fetched = 1", .id(id)) {
            row throws(SQLiteError) in try row.id("feed")
        }
    }

    /// Returns the feeds for which a condition is true.
    package static func feeds(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [Feed] {
        try connection.rows("SELECT * FROM feeds WHERE \(condition)", values: values) {
            row throws(SQLiteError) in try Feed(row)
        }.compactMap(\.self)
    }

    static func feedItems(
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
            .id(id)
        ) { row throws(SQLiteError) in
            FeedItem(
                id: try row.id("item"),
                title: try row.text("title"),
                published: try row.double("published"),
                isKept: try row.int("kept") != 0,
                isReady: try row.int("ready") != 0
            )
        }
    }
}

extension Feed {
    /// Reads a row, or returns nil for an address that this version cannot parse.
    fileprivate init?(_ row: SQLiteRow) throws(SQLiteError) {
        guard let address = try? WebAddress(try row.text("address")) else { return nil }
        func date(_ name: String) throws(SQLiteError) -> Date? {
            try row.optionalDouble(name).map(Date.init(timeIntervalSince1970:))
        }
        let code = try row.optionalText("error_code")
        let message = try row.optionalText("error_message")
        self.init(
            id: try row.id("id"),
            address: address,
            title: try row.text("title"),
            keep: try row.int("keep"),
            keepsPages: try row.int("keeps_pages") != 0,
            allowsPrivateAddresses: try row.int("allows_private") != 0,
            createdAt: Date(timeIntervalSince1970: try row.double("created_at")),
            checkedAt: try date("checked_at"),
            nextCheck: try date("next_check"),
            failures: try row.int("failures"),
            failure: code.map { ItemFailure(code: $0, message: message ?? $0) },
            period: try row.optionalDouble("period").map { .seconds($0) },
            validators: FeedValidators(
                tag: try row.optionalText("tag"),
                modified: try row.optionalText("modified")
            ),
            entryCount: try row.int("entry_count"),
            withoutMedia: try row.int("without_media")
        )
    }
}
