// SPDX-License-Identifier: Apache-2.0

/// The numbers of items of a library, kept up to date without another read of all items.
package struct ItemCounts: Hashable, Sendable {
    /// The items that wait for their download or are being downloaded.
    package private(set) var waiting = 0
    /// The ready items with moving pictures.
    package private(set) var videos = 0
    /// The numbers of items by state, without the states that no item has.
    package private(set) var states: [ItemState: Int] = [:]

    /// Creates the counts of items.
    package init(_ items: some Sequence<MediaItem> = []) {
        for item in items { replace(nil, by: item) }
    }

    /// Creates counts from the numbers of items in each state and of videos.
    package init(_ states: [ItemState: Int], videos: Int) {
        self.states = states.filter { $0.value > 0 }
        self.videos = videos
        waiting = states.reduce(0) { sum, entry in
            entry.key == .queued || entry.key.isActive ? sum + entry.value : sum
        }
    }

    /// Counts an item instead of the earlier state of the item.
    ///
    /// An argument is nil if the item does not exist before or after the change.
    package mutating func replace(_ old: MediaItem?, by new: MediaItem?) {
        if let old { count(old, -1) }
        if let new { count(new, 1) }
    }

    private mutating func count(_ item: MediaItem, _ number: Int) {
        let sum = states[item.state, default: 0] + number
        states[item.state] = sum == 0 ? nil : sum
        if item.state == .queued || item.state.isActive { waiting += number }
        if item.state == .ready, item.mediaType?.hasPrefix("video/") == true { videos += number }
    }
}
