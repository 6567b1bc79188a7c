// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsSQLite

extension ItemJournal {
    /// Commits a check of a feed and posts its new items.
    ///
    /// - Returns: The feed and the new items; nil if it is no longer followed.
    func record(
        _ update: FeedUpdate,
        at date: Date
    ) throws(SQLiteError) -> (feed: Feed, items: [MediaItem])? {
        try commit { () throws(SQLiteError) in
            let recorded = try registry.record(update, at: date)
            return (
                recorded,
                {
                    for item in recorded?.items ?? [] { self.publish(inserted: item) }
                    self.messages.post(FeedsChanged())
                }
            )
        }
    }

    /// Commits the removal of an item that newer ones of a feed replace, and posts it.
    ///
    /// - Returns: Whether it was removed; not if the person keeps it on purpose.
    func removeExpired(_ id: ItemID, of feed: FeedID) throws(SQLiteError) -> Bool {
        try commit { () throws(SQLiteError) in
            let old = try registry.item(id)
            let wasCollected = try registry.isCollected(id)
            guard try registry.removeExpired(id, of: feed) else { return (false, nil) }
            return (true, { self.publish(removed: id, old, fromCollection: wasCollected) })
        }
    }

    /// Commits that the person keeps an item on purpose, and posts it if a feed has fetched it.
    ///
    /// - Returns: Whether there is such an item.
    @discardableResult
    func keep(_ id: ItemID) throws(SQLiteError) -> Bool {
        try commit { () throws(SQLiteError) in
            guard try registry.keep(id) else { return (false, nil) }
            guard try !registry.feeds(withItem: id).isEmpty else { return (true, nil) }
            return (true, { self.messages.post(FeedsChanged()) })
        }
    }
}
