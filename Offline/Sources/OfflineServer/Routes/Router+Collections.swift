// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    func collections() throws -> ServerResponse {
        .json(CollectionList(collections: try library.collections()))
    }

    /// Makes, changes or removes a collection; nil for any other action.
    ///
    /// - Parameters:
    ///   - path: The parts of the path after `api/collections`.
    ///   - request: The request.
    /// - Returns: The response.
    /// - Throws: The errors of the library.
    func writeCollections(
        _ path: ArraySlice<Substring>,
        _ request: ServerRequest
    ) throws -> ServerResponse? {
        guard let text = path.first else {
            return request.method == "POST" ? try makeCollection(request) : nil
        }
        switch (request.method, path.dropFirst()) {
        case ("PATCH", []): return try changeCollection(text, request)
        case ("DELETE", []):
            try library.removeCollection(try collection(text))
            return .noContent
        case ("POST", ["items"]):
            return .json(try library.change(collection(text), items: .add(items(request))))
        case ("DELETE", ["items"]):
            return .json(try library.change(collection(text), items: .remove(items(request))))
        default: return nil
        }
    }

    private func makeCollection(_ request: ServerRequest) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(CollectionJSON.self, from: request.body)
        guard let name = wanted.name else {
            throw ServerError(.badRequest, "The collection has no name. Send “name”.")
        }
        return .json(
            try library.makeCollection(try CollectionName(name), wanted.items ?? []),
            status: 201
        )
    }

    private func changeCollection(
        _ text: Substring,
        _ request: ServerRequest
    ) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(CollectionJSON.self, from: request.body)
        guard wanted.name != nil || wanted.items != nil else {
            throw ServerError(
                .badRequest,
                "There is nothing to change. Send “name”, “items” or both."
            )
        }
        return .json(
            try library.change(
                try collection(text),
                name: try wanted.name.map { try CollectionName($0) },
                items: wanted.items.map { .replace($0) }
            )
        )
    }

    private func items(_ request: ServerRequest) throws -> [ItemID] {
        try JSONCoding.decode(CollectionItemsJSON.self, from: request.body).items
    }

    private func collection(_ text: Substring) throws(LibraryError) -> CollectionID {
        guard let id = CollectionID(text) else {
            throw LibraryError(
                .notFound,
                "“\(text.prefix(20))” is not the number of a collection. Use one from the list."
            )
        }
        return id
    }
}

/// The request of `POST /api/collections` and `PATCH /api/collections/ID`.
private struct CollectionJSON: Decodable {
    var name: String?
    var items: [ItemID]?
}

/// The request of `POST` and `DELETE /api/collections/ID/items`.
private struct CollectionItemsJSON: Decodable {
    var items: [ItemID]
}
