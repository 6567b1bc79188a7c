// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
package import OfflineStore
import Tidings
package import TidingsSQLite

extension ItemJournal {
    /// Commits that the user follows a feed, and posts a message.
    package func follow(
        _ request: FeedRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> Feed {
        try commit { registry throws(SQLiteError) in
            let feed = try registry.feedWriter.follow(request, title: title, at: date)
            return (feed, { self.messages.post(FeedsChanged()) })
        }
    }

    /// Commits that the user no longer follows a feed, and posts a message.
    ///
    /// - Returns: Whether the feed was followed.
    package func unfollow(_ id: FeedID) throws(SQLiteError) -> Bool {
        try commit { registry throws(SQLiteError) in
            guard try registry.feedWriter.unfollow(id) else { return (false, nil) }
            return (true, { self.messages.post(FeedsChanged()) })
        }
    }

    /// Commits a check of a feed and posts its new items.
    ///
    /// - Returns: The feed and the new items, or nil if the user no longer follows the feed.
    package func record(
        _ update: FeedUpdate,
        at date: Date
    ) throws(SQLiteError) -> (feed: Feed, items: [MediaItem])? {
        try commit { registry throws(SQLiteError) in
            let recorded = try registry.feedWriter.record(update, at: date)
            return (
                recorded,
                {
                    for item in recorded?.items ?? [] { self.publish(inserted: item) }
                    self.messages.post(FeedsChanged())
                }
            )
        }
    }

    /// Commits the removal of an item that newer items of a feed replace, and posts the removal.
    ///
    /// - Returns: Whether the item was removed. An item that the user keeps on purpose is not
    ///   removed.
    package func removeExpired(_ id: ItemID, of feed: FeedID) throws(SQLiteError) -> Bool {
        try commit { registry throws(SQLiteError) in
            let old = try registry.items.item(id)
            let wasCollected = try registry.collections.isCollected(id)
            guard try registry.feedWriter.removeExpired(id, of: feed) else { return (false, nil) }
            return (true, { self.publish(removed: id, old, fromCollection: wasCollected) })
        }
    }

    /// Commits that the user keeps an item on purpose.
    ///
    /// Posts a message if a feed has fetched the item.
    ///
    /// - Returns: Whether the item exists.
    @discardableResult
    package func keep(_ id: ItemID) throws(SQLiteError) -> Bool {
        try commit { registry throws(SQLiteError) in
            guard try registry.update(id, nil, with: [.kept]) != nil else { return (false, nil) }
            guard try !registry.feeds.feeds(withItem: id).isEmpty else { return (true, nil) }
            return (true, { self.messages.post(FeedsChanged()) })
        }
    }

    /// Posts that the user keeps an item, if a feed has fetched the item.
    package func postKept(_ id: ItemID) throws(SQLiteError) {
        if try !feeds.feeds(withItem: id).isEmpty { post(FeedsChanged()) }
    }
}
