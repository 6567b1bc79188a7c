// SPDX-License-Identifier: Apache-2.0
package import Foundation
import TidingsHTTP

/// A followed feed for the HTTP API, the page and `offline following --json`.
package struct FeedRepresentation: Hashable, Sendable, Codable {
    /// An item that the feed has fetched.
    package struct Item: Hashable, Sendable, Codable {
        /// The item.
        package var id: ItemID
        /// The title of the item.
        package var title: String
        /// Whether the person keeps it on purpose.
        package var isKept: Bool
    }

    /// The identifier of the feed.
    package var id: FeedID
    /// The address, as the person entered it or as a permanent redirect changed it.
    package var address: String
    /// The title of the feed.
    package var title: String
    /// The number of entries to keep.
    package var keep: Int
    /// Whether the pages of entries without media are kept.
    package var pages: Bool
    /// Whether the feed may be at a private address.
    package var allowPrivate: Bool
    /// Whether the publisher has ended the feed, so that it is not checked again.
    package var hasEnded: Bool
    /// When the person began to follow the feed.
    package var createdAt: Date
    /// The end of the last check; nil before the first.
    package var checkedAt: Date?
    /// The time of the next check; nil for a feed that has ended.
    package var nextCheckAt: Date?
    /// The failure of the last check; nil if it succeeded.
    package var error: ItemFailure?
    /// The number of entries in the last document.
    package var entries: Int
    /// The number of entries in it without media.
    package var withoutMedia: Int
    /// The items that it has fetched and that are in the library, the newest first.
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
