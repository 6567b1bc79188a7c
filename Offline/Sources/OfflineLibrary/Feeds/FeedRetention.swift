// SPDX-License-Identifier: Apache-2.0

/// The items of a feed that give place to newer ones; a value without side effects.
enum FeedRetention {
    /// Returns the items to remove: of those that are ready and that the person does not keep on
    /// purpose, all but the newest.
    ///
    /// An item that is not ready takes no place, so that a failed download costs no older file.
    ///
    /// - Parameters:
    ///   - items: The items that the feed has fetched.
    ///   - keep: The number of items to keep.
    /// - Returns: The items, the newest first.
    static func expired(_ items: [FeedItem], keep: Int) -> [ItemID] {
        items.filter { $0.isReady && !$0.isKept }
            .sorted { ($1.published, $1.id.rawValue) < ($0.published, $0.id.rawValue) }
            .dropFirst(keep)
            .map(\.id)
    }
}
