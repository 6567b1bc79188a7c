// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The place in the queue to which the user moves an item.
package enum QueuePlace: Hashable, Sendable {
    /// Before all other items.
    case top
    /// Before the previous item.
    case up
    /// After the next item.
    case down
    /// After all other items.
    case bottom
    /// Before this item.
    case before(ItemID)

    /// Reads the word of a place and the item for `before`, and returns nil for any other word.
    package init?(_ word: String, item: ItemID? = nil) {
        switch (word, item) {
        case ("top", nil): self = .top
        case ("up", nil): self = .up
        case ("down", nil): self = .down
        case ("bottom", nil): self = .bottom
        case ("before", let item?): self = .before(item)
        default: return nil
        }
    }

    /// The word that `init` reads.
    package var word: String {
        switch self {
        case .top: "top"
        case .up: "up"
        case .down: "down"
        case .bottom: "bottom"
        case .before: "before"
        }
    }

    /// The other item, or nil unless the place is before an item.
    package var item: ItemID? {
        if case .before(let item) = self { item } else { nil }
    }
}
