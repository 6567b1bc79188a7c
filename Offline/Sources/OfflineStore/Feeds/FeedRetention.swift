// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// A rule without side effects that selects the items of a feed to replace with newer ones.
package enum FeedRetention {
    /// Returns the items to remove.
    ///
    /// Only ready items that the user does not keep on purpose count, and the newest of these items
    /// stay.
    ///
    /// An item that is not ready takes no place, so that a failed download never removes an older
    /// file.
    ///
    /// - Parameters:
    ///   - items: The items that the feed has fetched.
    ///   - keep: The number of items to keep.
    /// - Returns: The items, the newest first.
    package static func expired(_ items: [FeedItem], keep: Int) -> [ItemID] {
        items.filter { $0.isReady && !$0.isKept }
            .sorted { ($1.published, $1.id.rawValue) < ($0.published, $0.id.rawValue) }
            .dropFirst(keep)
            .map(\.id)
    }
}
