// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsSQLite

extension Library {
    /// Returns all collections by name.
    package func collections() throws(LibraryError) -> [MediaCollection] {
        do {
            return try journal.registry.collections()
        } catch {
            throw LibraryError(error)
        }
    }

    /// Makes a collection of these items and posts it.
    ///
    /// - Throws: `LibraryError`; `.collectionExists` if another one has the name, `.notFound` if
    ///   there is no such item. Nothing has changed then.
    @discardableResult
    package func makeCollection(
        _ name: CollectionName,
        _ items: [ItemID] = []
    ) throws(LibraryError) -> MediaCollection {
        try changeCollections { registry throws(SQLiteError) in
            try registry.makeCollection(name, items, at: configuration.now())
        }
    }

    /// Changes the name or the items of a collection, and posts it if anything differs.
    ///
    /// - Parameters:
    ///   - id: The collection.
    ///   - name: The new name; nil keeps it.
    ///   - items: The change of the items; nil keeps them.
    /// - Returns: The collection after the change.
    /// - Throws: `LibraryError`; `.collectionExists` if another one has the name, `.notFound` if
    ///   there is no such collection or item. Nothing has changed then.
    @discardableResult
    package func change(
        _ id: CollectionID,
        name: CollectionName? = nil,
        items: CollectionItems? = nil
    ) throws(LibraryError) -> MediaCollection {
        try changeCollections { registry throws(SQLiteError) in
            try registry.change(id, name: name, items: items)
        }
    }

    /// Removes a collection and posts it; its items stay.
    ///
    /// - Throws: `LibraryError` with `.notFound` if there is no such collection.
    package func removeCollection(_ id: CollectionID) throws(LibraryError) {
        let wasThere: Bool
        do {
            wasThere = try space.commit { () throws(SQLiteError) in
                try journal.removeCollection(id)
            }
        } catch {
            throw LibraryError(error)
        }
        guard wasThere else { throw Self.noCollection }
    }

    private func changeCollections(
        _ change: (Registry) throws(SQLiteError) -> Registry.CollectionResult
    ) throws(LibraryError) -> MediaCollection {
        let result: Registry.CollectionResult
        do {
            result = try space.commit { () throws(SQLiteError) in
                try journal.changeCollections(change)
            }
        } catch {
            throw LibraryError(error)
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
    /// Creates the error of a command that names a collection which does not exist.
    package init(noCollection name: CollectionName) {
        self.init(
            .notFound,
            "There is no collection “\(name.text)”. Run `offline collections` to list them."
        )
    }
}

extension ItemJournal {
    /// Commits a change of the collections and posts it, if it changes anything.
    func changeCollections(
        _ change: (Registry) throws(SQLiteError) -> Registry.CollectionResult
    ) throws(SQLiteError) -> Registry.CollectionResult {
        try commit { () throws(SQLiteError) in
            let result = try change(registry)
            guard case .changed = result else { return (result, nil) }
            return (result, { self.messages.post(CollectionsChanged()) })
        }
    }

    /// Commits the removal of a collection and posts it; returns whether there was one.
    func removeCollection(_ id: CollectionID) throws(SQLiteError) -> Bool {
        try commit { () throws(SQLiteError) in
            guard try registry.removeCollection(id) else { return (false, nil) }
            return (true, { self.messages.post(CollectionsChanged()) })
        }
    }
}
