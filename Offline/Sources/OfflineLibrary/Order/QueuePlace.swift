// SPDX-License-Identifier: Apache-2.0

/// The place in the queue to which a person moves an item.
package enum QueuePlace: Hashable, Sendable {
    /// Before all others.
    case top
    /// Before the previous one.
    case up
    /// After the next one.
    case down
    /// After all others.
    case bottom
    /// Before this one.
    case before(ItemID)

    /// Reads the word of a place, and the item that `before` needs; nil for any other word.
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

    /// The other item; nil unless the place is before one.
    package var item: ItemID? {
        if case .before(let item) = self { item } else { nil }
    }
}
