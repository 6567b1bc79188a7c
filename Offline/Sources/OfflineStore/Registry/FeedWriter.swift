// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
import TidingsHTTP
package import TidingsSQLite

/// Changes the followed feeds, in transactions that the journal of OfflineDownloads posts.
package struct FeedWriter: Sendable {
    let registry: Registry

    /// Inserts a feed, or changes the feed with the same address.
    ///
    /// If the feed now keeps more entries than before, the entries that were too old become unknown
    /// again.
    package func follow(
        _ request: FeedRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> Feed {
        try registry.transaction { connection throws(SQLiteError) in
            let address = SQLiteValue.text(request.address.text)
            let known = try FollowedFeedReader.feeds(connection, where: "address = ?", address)
                .first
            if let known {
                try Self.change(connection, known, by: request)
            } else {
                try Self.insert(connection, request, title: title, at: date)
            }
            return try FollowedFeedReader.feeds(connection, where: "address = ?", address)[0]
        }
    }

    /// Forgets a feed and the feed's entries, but keeps the items.
    ///
    /// - Returns: Whether the feed was followed.
    package func unfollow(_ id: FeedID) throws(SQLiteError) -> Bool {
        try registry.withConnection { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM feeds WHERE id = ?", .id(id))
            return connection.changes > 0
        }
    }

    /// Inserts a feed.
    package static func insert(
        _ connection: SQLiteConnection,
        _ request: FeedRequest,
        title: String,
        at date: Date,
        nextCheck: Date? = nil
    ) throws(SQLiteError) {
        try connection.execute(
            """
            INSERT INTO feeds (
                address, title, keep, keeps_pages, allows_private, options, created_at, next_check
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values: [
                .text(request.address.text), .text(title), .integer(request.keep),
                .integer(request.keepsPages ? 1 : 0),
                .integer(request.allowsPrivateAddresses ? 1 : 0),
                .optional(request.options.stored), .real(date.timeIntervalSince1970),
                .real((nextCheck ?? date).timeIntervalSince1970),
            ]
        )
    }

    private static func change(
        _ connection: SQLiteConnection,
        _ feed: Feed,
        by request: FeedRequest
    ) throws(SQLiteError) {
        let id = SQLiteValue.id(feed.id)
        if request.keep > feed.keep {
            try connection.execute("DELETE FROM feed_entries WHERE feed = ? AND item IS NULL", id)
        }
        try connection.execute(
            """
            UPDATE feeds SET keep = ?, keeps_pages = ?, allows_private = max(allows_private, ?),
                options = coalesce(?, options), tag = NULL, modified = NULL
            WHERE id = ?
            """,
            values: [
                .integer(request.keep), .integer(request.keepsPages ? 1 : 0),
                .integer(request.allowsPrivateAddresses ? 1 : 0),
                .optional(request.options.stored), id,
            ]
        )
    }
}
