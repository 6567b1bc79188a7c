// SPDX-License-Identifier: Apache-2.0

/// The choice of a page of the list of items, the newest first.
package struct ItemQuery: Hashable, Sendable {
    /// The number of items of a page without another wish.
    package static let usualCount = 200
    /// The maximum number of items of a page.
    package static let maximumCount = 1_000

    /// The states of the items; empty for all.
    package var states: Set<ItemState>
    /// The words of a search, which each item contains.
    package var words: SearchWords
    /// Whether the items are watched; nil for all.
    package var isWatched: Bool?
    /// The media of the items; nil for all.
    package var media: ItemMedia?
    /// The collection of the items; nil for all.
    package var collection: CollectionID?
    /// The order of the items; that of a collection requires one.
    package var order: ItemOrder
    /// The item before the first of the page; nil for the newest.
    package var after: ItemID?
    /// The maximum number of items.
    package var count: Int

    /// Creates a query; the default one chooses the newest items.
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

/// An order of items; items that are equal in it come the newest first.
package enum ItemOrder: String, CaseIterable, Sendable {
    case newest
    case title
    /// The longest first.
    case length
    /// The largest file first.
    case size
    /// That of the person in a collection.
    case collection
}

/// A page of the list of items.
package struct ItemPage: Hashable, Sendable {
    /// The items in the wanted order.
    package var items: [MediaItem]
    /// The number of items on all pages.
    package var total: Int
    /// The last item of the page if there are more after it.
    package var next: ItemID?
}
