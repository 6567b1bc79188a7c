// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// A change of an item that a command waits for.
enum FollowedChange: Sendable {
    case progress(ItemRepresentation)
    /// The item is ready or failed, or this process has stopped the download.
    case end(ItemRepresentation)
}

/// The ends of the items that a command waits for.
struct FollowedEnds {
    /// The items that have ended, in the order of their ends.
    private(set) var items: [ItemRepresentation] = []
    /// The items that have not ended.
    private(set) var open: Set<ItemID>
    private let isEnd: (ItemState) -> Bool

    /// Creates the ends of items.
    ///
    /// - Parameters:
    ///   - ids: The items.
    ///   - isEnd: Returns whether an item in a state has ended.
    init(_ ids: [ItemID], isEnd: @escaping (ItemState) -> Bool = \.endsRun) {
        open = Set(ids)
        self.isEnd = isEnd
    }

    /// Whether all items have ended.
    var isComplete: Bool { open.isEmpty }

    /// Passes on the change of an item.
    ///
    /// An item that has ended does not change any more.
    mutating func note(_ item: ItemRepresentation, _ show: (FollowedChange) -> Void) {
        guard open.contains(item.id) else { return }
        guard isEnd(item.state) else { return show(.progress(item)) }
        open.remove(item.id)
        items.append(item)
        show(.end(item))
    }
}
