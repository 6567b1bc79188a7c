// SPDX-License-Identifier: Apache-2.0

/// The choice of one page of the list of items, with the newest item first by default.
///
/// To add a filter, add a property here and a condition in `ItemReader+Pages.swift` (OfflineStore).
/// `ItemListing.swift` of OfflineAPI reads the filter from the query of the address, and
/// `shelf.js` of the page sends it. `offline list` reads the registry without a server, in
/// `ItemRepresentation+Details.swift` of OfflineLibrary.
package struct ItemQuery: Hashable, Sendable {
    /// The number of items on a page unless the caller asks for another number.
    package static let usualCount = 200
    /// The maximum number of items on a page.
    package static let maximumCount = 1_000

    /// The states of the items, or an empty set for all states.
    package var states: Set<ItemState>
    /// The words of a search, all of which each item contains.
    package var words: SearchWords
    /// Whether the items are watched, or nil for all items.
    package var isWatched: Bool?
    /// The media of the items, or nil for all items.
    package var media: ItemMedia?
    /// The collection of the items, or nil for all items.
    package var collection: CollectionID?
    /// The order of the items, where the order of a collection requires a collection.
    package var order: ItemOrder
    /// The item before the first item of the page, or nil for the first page.
    package var after: ItemID?
    /// The maximum number of items.
    package var count: Int

    /// Creates a query, which chooses the newest items by default.
    package init(
        states: Set<ItemState> = [],
        words: SearchWords = SearchWords(),
        isWatched: Bool? = nil,
        media: ItemMedia? = nil,
        collection: CollectionID? = nil,
        order: ItemOrder = .newest,
        after: ItemID? = nil,
        count: Int = usualCount
    ) {
        self.states = states
        self.words = words
        self.isWatched = isWatched
        self.media = media
        self.collection = collection
        self.order = order
        self.after = after
        self.count = count
    }
}

/// The media that a query chooses.
package enum ItemMedia: String, CaseIterable, Sendable {
    case video
    case audio
    /// Files to read: plain text, subtitles, pages and books.
    case text
}

/// An order of items.
///
/// Of items that are equal in this order, the newest item comes first.
package enum ItemOrder: String, CaseIterable, Sendable {
    case newest
    case title
    /// The longest item first.
    case length
    /// The item with the largest file first.
    case size
    /// The order that the user has chosen in a collection.
    case collection
}

/// A page of the list of items.
package struct ItemPage: Hashable, Sendable {
    /// The items in the wanted order.
    package var items: [MediaItem]
    /// The number of items on all pages.
    package var total: Int
    /// The last item of the page, or nil without further items.
    package var next: ItemID?

    /// Creates a page.
    package init(items: [MediaItem], total: Int, next: ItemID? = nil) {
        self.items = items
        self.total = total
        self.next = next
    }
}
