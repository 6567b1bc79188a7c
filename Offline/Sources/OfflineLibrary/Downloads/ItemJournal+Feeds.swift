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
            let recorded = try registry.record(update.feed, update.entries, at: date)
            return (
                recorded,
                {
                    for item in recorded?.items ?? [] { self.publish(inserted: item) }
                    self.messages.post(FeedsChanged())
                }
            )
        }
    }
}
