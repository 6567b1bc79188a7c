// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
package import OfflineStore
import Tidings
import TidingsSQLite

extension Library {
    /// The collections of the library.
    package var collections: LibraryCollections { LibraryCollections(library: open) }
}

/// The collections of a library, whose changes are committed and then posted.
package struct LibraryCollections: Sendable {
    let library: OpenLibrary

    /// Returns all collections by name.
    package func all() throws(LibraryError) -> [MediaCollection] {
        try LibraryError.rethrowing { try library.journal.collections.collections() }
    }

    /// Creates a collection of these items, and posts `CollectionsChanged`.
    ///
    /// - Throws: `LibraryError`, with `.collectionExists` if another collection has the name and
    ///   `.notFound` if an item does not exist. After an error, nothing has changed.
    @discardableResult
    package func make(
        _ name: CollectionName,
        _ items: [ItemID] = []
    ) throws(LibraryError) -> MediaCollection {
        try commit { writer throws(SQLiteError) in
            try writer.makeCollection(name, items, at: library.configuration.now())
        }
    }

    /// Changes the name or the items of a collection, and posts `CollectionsChanged` after a
    /// change.
    ///
    /// - Parameters:
    ///   - id: The collection.
    ///   - name: The new name, or nil to keep the name.
    ///   - items: The change of the items, or nil to keep the items.
    /// - Returns: The collection after the change.
    /// - Throws: `LibraryError`, with `.collectionExists` if another collection has the name and
    ///   `.notFound` if the collection or an item does not exist. After an error, nothing has
    ///   changed.
    @discardableResult
    package func change(
        _ id: CollectionID,
        name: CollectionName? = nil,
        items: CollectionItems? = nil
    ) throws(LibraryError) -> MediaCollection {
        try commit { writer throws(SQLiteError) in
            try writer.change(id, name: name, items: items)
        }
    }

    /// Removes a collection but keeps the items, and posts `CollectionsChanged`.
    ///
    /// - Throws: `LibraryError` with `.notFound` if the collection does not exist.
    package func remove(_ id: CollectionID) throws(LibraryError) {
        let wasThere = try library.space.record { () throws(SQLiteError) in
            try library.journal.removeCollection(id)
        }
        guard wasThere else { throw Self.noCollection }
    }

    private func commit(
        _ change: (CollectionWriter) throws(SQLiteError) -> CollectionResult
    ) throws(LibraryError) -> MediaCollection {
        let result = try library.space.record { () throws(SQLiteError) in
            try library.journal.changeCollections(change)
        }
        switch result {
        case .changed(let collection), .unchanged(let collection): return collection
        case .noCollection: throw Self.noCollection
        case .noItem(let id): throw LibraryError(noItem: id)
        case .nameInUse(let name):
            throw LibraryError(
                .collectionExists,
                "There is a collection “\(name)” already. Use another name."
            )
        }
    }

    private static var noCollection: LibraryError {
        LibraryError(
            .notFound,
            "There is no such collection. Use a number from the list of collections."
        )
    }
}

extension LibraryError {
    /// Creates the error of a command that names a collection that does not exist.
    package init(noCollection name: CollectionName) {
        self.init(
            .notFound,
            "There is no collection “\(name.text)”. Run `offline collections` to list them."
        )
    }
}

extension ItemJournal {
    /// Commits a change of the collections, and posts `CollectionsChanged` if anything has changed.
    func changeCollections(
        _ change: (CollectionWriter) throws(SQLiteError) -> CollectionResult
    ) throws(SQLiteError) -> CollectionResult {
        try commit { registry throws(SQLiteError) in
            let result = try change(registry.collectionWriter)
            guard case .changed = result else { return (result, nil) }
            return (result, { self.messages.post(CollectionsChanged()) })
        }
    }

    /// Commits and posts the removal of a collection, and returns whether the collection existed.
    func removeCollection(_ id: CollectionID) throws(SQLiteError) -> Bool {
        try commit { registry throws(SQLiteError) in
            guard try registry.collectionWriter.removeCollection(id) else { return (false, nil) }
            return (true, { self.messages.post(CollectionsChanged()) })
        }
    }
}
