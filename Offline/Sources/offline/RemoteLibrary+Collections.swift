// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

/// The collections of a running server.
extension RemoteLibrary {
    func collections() async throws -> [MediaCollection] {
        let list: CollectionList = try await call(.get, "/api/collections")
        return list.collections
    }

    func makeCollection(
        _ name: CollectionName,
        _ items: [ItemID]
    ) async throws -> MediaCollection {
        try await call(.post, "/api/collections", Body(name: name.text, items: items))
    }

    func change(
        _ id: CollectionID,
        name: CollectionName?,
        items: CollectionItems?
    ) async throws -> MediaCollection {
        let path = "/api/collections/\(id)"
        switch items {
        case .add(let ids): return try await call(.post, path + "/items", Body(items: ids))
        case .remove(let ids): return try await call(.delete, path + "/items", Body(items: ids))
        case .replace(let ids):
            return try await call(.patch, path, Body(name: name?.text, items: ids))
        case nil: return try await call(.patch, path, Body(name: name?.text))
        }
    }

    func removeCollection(_ id: CollectionID) async throws {
        let _: Empty = try await call(.delete, "/api/collections/\(id)")
    }

    private struct Body: Encodable {
        var name: String?
        var items: [ItemID]?
    }

    private struct Empty: Decodable {}
}
