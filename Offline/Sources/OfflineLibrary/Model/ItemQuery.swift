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
    /// The item before the first of the page; nil for the newest.
    package var after: ItemID?
    /// The maximum number of items.
    package var count: Int

    /// Creates a query; the default one chooses the newest items.
    package init(
        states: Set<ItemState> = [],
        words: SearchWords = SearchWords(),
        isWatched: Bool? = nil,
        after: ItemID? = nil,
        count: Int = usualCount
    ) {
        self.states = states
        self.words = words
        self.isWatched = isWatched
        self.after = after
        self.count = count
    }
}

/// A page of the list of items.
package struct ItemPage: Hashable, Sendable {
    /// The items, the newest first.
    package var items: [MediaItem]
    /// The number of items on all pages.
    package var total: Int
    /// The last item of the page if there are more after it.
    package var next: ItemID?
}
