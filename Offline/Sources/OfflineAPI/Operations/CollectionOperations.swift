// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
package import OfflineModel
package import OfflineStore

/// The operations on collections.
package struct CollectionOperations: Sendable {
    /// Returns the collections by name.
    package let list = get("/collections") { (library: Library, _: NoContent) in
        CollectionList(collections: try library.collections.all())
    }

    /// Makes a collection.
    package let make = post("/collections", 404, 409, status: 201) {
        (library: Library, wanted: CollectionJSON) in
        guard let name = wanted.name else {
            throw APIError(.badRequest, "The collection has no name. Send “name”.")
        }
        return try library.collections.make(try CollectionName(name), wanted.items ?? [])
    }

    /// Changes the name or the items of a collection.
    package let change = patch("/collections/{id}", 404, 409) {
        (library: Library, input: Addressed<CollectionID, CollectionJSON>) in
        guard input.body.name != nil || input.body.items != nil else {
            throw APIError(
                .badRequest,
                "There is nothing to change. Send “name”, “items” or both."
            )
        }
        return try library.collections.change(
            input.target,
            name: try input.body.name.map { try CollectionName($0) },
            items: input.body.items.map { .replace($0) }
        )
    }

    /// Removes a collection and keeps the items.
    package let remove = delete("/collections/{id}", 404, status: 204) {
        (library: Library, id: CollectionID) in
        try library.collections.remove(id)
        return NoContent()
    }

    /// Adds items at the end of a collection.
    package let add = post("/collections/{id}/items", 404) {
        (library: Library, input: Addressed<CollectionID, CollectionItemsJSON>) in
        try library.collections.change(input.target, name: nil, items: .add(input.body.items))
    }

    /// Takes items out of a collection.
    package let takeOut = delete("/collections/{id}/items", 404) {
        (library: Library, input: Addressed<CollectionID, CollectionItemsJSON>) in
        try library.collections.change(input.target, name: nil, items: .remove(input.body.items))
    }
}

/// The request of `POST /api/collections` and `PATCH /api/collections/ID`.
package struct CollectionJSON: JSONInput {
    let name: String?
    let items: [ItemID]?

    /// Creates a request.
    package init(name: CollectionName? = nil, items: [ItemID]? = nil) {
        self.name = name?.text
        self.items = items
    }
}

/// The request of `POST` and `DELETE /api/collections/ID/items`.
package struct CollectionItemsJSON: JSONInput {
    let items: [ItemID]

    /// Creates a request.
    package init(items: [ItemID]) { self.items = items }
}
