// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsHTTP

/// A followed feed: the values of its row in the registry.
package struct Feed: Hashable, Sendable, Identifiable {
    /// The identifier of the feed.
    package let id: FeedID
    /// The address of the feed, updated after a permanent redirect.
    package var address: WebAddress
    /// The title of the feed, or the host of the address if the feed has no title.
    package var title: String
    /// The number of entries to keep.
    package var keep: Int
    /// Whether the pages of entries without media are kept.
    package var keepsPages: Bool
    /// Whether the feed and its entries may be at private addresses.
    package var allowsPrivateAddresses: Bool
    /// When the user started to follow the feed.
    package var createdAt: Date
    /// The end of the last check, or nil before the first check.
    package var checkedAt: Date?
    /// The time of the next check, or nil for a feed that has ended.
    package var nextCheck: Date?
    /// The number of failed checks since the last successful one.
    package var failures: Int
    /// The failure of the last check, or nil if that check succeeded.
    package var failure: ItemFailure?
    /// The time between two checks that the feed asks for, or nil if the feed names none.
    package var period: Duration?
    /// The validators of the last document.
    package var validators: FeedValidators
    /// The number of entries in the last document.
    package var entryCount: Int
    /// The number of entries without media in the last document.
    package var withoutMedia: Int

    /// Creates a feed.
    package init(
        id: FeedID,
        address: WebAddress,
        title: String,
        keep: Int,
        keepsPages: Bool,
        allowsPrivateAddresses: Bool,
        createdAt: Date,
        checkedAt: Date? = nil,
        nextCheck: Date? = nil,
        failures: Int,
        failure: ItemFailure? = nil,
        period: Duration? = nil,
        validators: FeedValidators,
        entryCount: Int,
        withoutMedia: Int
    ) {
        self.id = id
        self.address = address
        self.title = title
        self.keep = keep
        self.keepsPages = keepsPages
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.createdAt = createdAt
        self.checkedAt = checkedAt
        self.nextCheck = nextCheck
        self.failures = failures
        self.failure = failure
        self.period = period
        self.validators = validators
        self.entryCount = entryCount
        self.withoutMedia = withoutMedia
    }
}

/// The validators with which a server says that a document has not changed.
package struct FeedValidators: Hashable, Sendable {
    /// The ETag, or nil if the response had none.
    package var tag: String?
    /// The Last-Modified date, or nil if the response had none.
    package var modified: String?

    /// The largest validator to store in bytes.
    private static let longest = 1_024

    /// Creates validators.
    package init(tag: String? = nil, modified: String? = nil) {
        self.tag = tag
        self.modified = modified
    }

    /// Reads the validators of a response.
    package init(_ head: HTTPResponseHead) {
        tag = Self.usable(head.headers.first("ETag"))
        modified = Self.usable(head.headers.first("Last-Modified"))
    }

    /// The headers of a conditional request.
    package var headers: [HTTPHeader] {
        [
            tag.map { HTTPHeader("If-None-Match", $0) },
            modified.map { HTTPHeader("If-Modified-Since", $0) },
        ].compactMap(\.self).filter(\.isSendable)
    }

    private static func usable(_ value: String?) -> String? {
        value.flatMap { $0.isEmpty || $0.utf8.count > longest ? nil : $0 }
    }
}

/// An item that a feed has fetched.
package struct FeedItem: Hashable, Sendable {
    /// The item.
    package let id: ItemID
    /// The title of the item.
    package let title: String
    /// The time of the entry's publication in seconds since 1970.
    package let published: Double
    /// Whether the user keeps the item on purpose, so that the feed never removes the item.
    package let isKept: Bool
    /// Whether the file of the item is complete.
    package let isReady: Bool

    /// Creates the description of an item.
    package init(
        id: ItemID,
        title: String,
        published: Double,
        isKept: Bool,
        isReady: Bool
    ) {
        self.id = id
        self.title = title
        self.published = published
        self.isKept = isKept
        self.isReady = isReady
    }
}
