// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
import TidingsHTTP

/// A followed feed for the HTTP API, the page and `offline following --json`.
package struct FeedRepresentation: Hashable, Sendable, Codable {
    /// An item that the feed has fetched.
    package struct Item: Hashable, Sendable, Codable {
        /// The item.
        package var id: ItemID
        /// The title of the item.
        package var title: String
        /// Whether the user keeps the item on purpose.
        package var isKept: Bool
    }

    /// The identifier of the feed.
    package var id: FeedID
    /// The address as the user entered it, or the target of a permanent redirect.
    package var address: String
    /// The title of the feed.
    package var title: String
    /// The number of entries to keep.
    package var keep: Int
    /// Whether the pages of entries without media are kept.
    package var pages: Bool
    /// Whether the feed may be at a private address.
    package var allowPrivate: Bool
    /// Whether the publisher has ended the feed, so that no further checks follow.
    package var hasEnded: Bool
    /// When the user started to follow the feed.
    package var createdAt: Date
    /// The end of the last check, or nil before the first check.
    package var checkedAt: Date?
    /// The time of the next check, or nil for a feed that has ended.
    package var nextCheckAt: Date?
    /// The failure of the last check, or nil if that check succeeded.
    package var error: ItemFailure?
    /// The number of entries in the last document.
    package var entries: Int
    /// The number of entries without media in the last document.
    package var withoutMedia: Int
    /// The items that the feed has fetched and the library still has, the newest first.
    package var items: [Item]

    /// Creates the representation.
    package init(_ feed: Feed, _ items: [FeedItem]) {
        id = feed.id
        address = feed.address.text
        title = feed.title
        keep = feed.keep
        pages = feed.keepsPages
        allowPrivate = feed.allowsPrivateAddresses
        hasEnded = feed.nextCheck == nil
        createdAt = feed.createdAt
        checkedAt = feed.checkedAt
        nextCheckAt = feed.nextCheck
        error = feed.failure
        entries = feed.entryCount
        withoutMedia = feed.withoutMedia
        self.items = items.map { Item(id: $0.id, title: $0.title, isKept: $0.isKept) }
    }
}

/// The response of `GET /api/feeds`.
package struct FeedList: Hashable, Sendable, Codable {
    /// The feeds in the order in which they were followed.
    package var feeds: [FeedRepresentation]

    /// Creates the list.
    package init(feeds: [FeedRepresentation]) {
        self.feeds = feeds
    }
}
