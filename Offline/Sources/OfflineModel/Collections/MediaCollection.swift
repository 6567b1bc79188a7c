// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Items that the user has put together under a name, in an order.
///
/// The API and the commands also show a collection in this form.
package struct MediaCollection: Hashable, Sendable, Codable {
    /// The number of the collection.
    package let id: CollectionID
    /// The name, which no other collection of the library has in any case.
    package var name: String
    /// The items in the user's order, each once and whether finished or not.
    package var items: [ItemID]
    /// The time of creation.
    package let createdAt: Date

    /// Creates a collection.
    package init(id: CollectionID, name: String, items: [ItemID], createdAt: Date) {
        self.id = id
        self.name = name
        self.items = items
        self.createdAt = createdAt
    }
}

/// The list of collections, as the API shows it.
package struct CollectionList: Hashable, Sendable, Codable {
    /// The collections by name.
    package let collections: [MediaCollection]

    /// Creates a list.
    package init(collections: [MediaCollection]) {
        self.collections = collections
    }
}

/// A change of the items of a collection.
package enum CollectionItems: Hashable, Sendable {
    /// Only these items, in this order.
    case replace([ItemID])
    /// The present items in their places, followed by these items.
    case add([ItemID])
    /// The present items without these items.
    case remove([ItemID])

    /// The items that must exist.
    package var required: [ItemID] {
        switch self {
        case .replace(let ids), .add(let ids): ids
        case .remove: []
        }
    }

    /// Returns the items after the change, each item once, at its first place.
    package func applied(to items: [ItemID]) -> [ItemID] {
        var known: Set<ItemID> = []
        switch self {
        case .replace(let ids): return ids.filter { known.insert($0).inserted }
        case .add(let ids): return (items + ids).filter { known.insert($0).inserted }
        case .remove(let ids):
            known = Set(ids)
            return items.filter { !known.contains($0) }
        }
    }
}
