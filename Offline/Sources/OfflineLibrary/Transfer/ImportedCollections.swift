// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineStore
import TidingsErrors

/// The checked collections of an imported document.
struct ImportedCollections: Sendable {
    /// A collection with the items of all lines.
    struct Collection: Sendable {
        let name: CollectionName
        let createdAt: Date
        /// The numbers of the items in the document, each listed once.
        var items: [Int] = []
        fileprivate var known: Set<Int> = []
    }

    /// The collections in the order of the document.
    private(set) var list: [Collection] = []
    /// The number of collection lines.
    private(set) var lines = 0
    private var places: [String: Int] = [:]
    private var memberships = 0

    /// Adds a line of a document with this number of items.
    ///
    /// - Throws: `ImportFault` with the reason why the line is refused.
    mutating func add(_ line: LibraryDocument.Collection, items: Int) throws {
        let name: CollectionName
        do {
            name = try CollectionName(line.collection)
        } catch {
            throw ImportFault(error.message)
        }
        guard line.items.allSatisfy({ $0 >= 1 && $0 <= items }) else {
            throw ImportFault("A collection has an item that the text does not have.")
        }
        let place = places[name.folded] ?? list.count
        if place == list.count {
            places[name.folded] = place
            list.append(Collection(name: name, createdAt: line.createdAt))
        }
        for item in line.items where list[place].known.insert(item).inserted {
            list[place].items.append(item)
            memberships += 1
        }
        guard memberships <= LibraryDocument.maximumMemberships else {
            throw ImportFault("The collections of the text have too many items.")
        }
        lines += 1
    }
}
