// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Items that a person has put together under a name, in an order.
///
/// It is also the form in which the API and the commands show a collection.
package struct MediaCollection: Hashable, Sendable, Codable {
    /// The number of the collection.
    package let id: CollectionID
    /// The name; no other collection of the library has it in any case.
    package var name: String
    /// The items in the person's order, each once; finished or not.
    package var items: [ItemID]
    /// When it was made.
    package let createdAt: Date
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
    /// These items alone, in this order.
    case replace([ItemID])
    /// Also these ones, at the end; those in it stay in their places.
    case add([ItemID])
    /// All but these ones.
    case remove([ItemID])

    /// The items that must exist.
    var required: [ItemID] {
        switch self {
        case .replace(let ids), .add(let ids): ids
        case .remove: []
        }
    }

    /// Returns the items after the change, each once, at its first place.
    func applied(to items: [ItemID]) -> [ItemID] {
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
