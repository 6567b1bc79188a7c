// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

extension Registry {
    /// Inserts the collections of an import, or adds its items to those of the same name.
    ///
    /// - Parameters:
    ///   - connection: The connection, in the transaction of the import.
    ///   - collections: The collections of the text.
    ///   - items: The item of each line of an item.
    ///   - result: Gets the numbers of the report.
    /// - Throws: `SQLiteError`.
    static func insert(
        _ connection: SQLiteConnection,
        _ collections: ImportedCollections,
        _ items: [ItemOfLine],
        _ result: inout ImportResult
    ) throws(SQLiteError) {
        for found in collections.list {
            result.report.collections += 1
            let old = try collection(connection, named: found.name)
            if old != nil { result.report.knownCollections += 1 }
            let id =
                if let old { old.id } else {
                    try insert(connection, found.name, at: found.createdAt)
                }
            let present = old?.items ?? []
            // Two lines may be of one item of the library.
            let all = CollectionItems.add(found.items.map { items[$0 - 1].item })
                .applied(to: present)
            try append(connection, all.dropFirst(present.count), to: id)
        }
    }
}
