// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension RemoteLibrary {
    func cancel(_ id: ItemID) async throws {
        let _: Removed = try await call(.post, "/api/items/\(id)/cancel", [String: String]())
    }

    func change(all action: CommonAction) async throws -> Int {
        let response: Changed = try await call(
            .post,
            "/api/items/\(action.rawValue)",
            [String: String]()
        )
        return response.changed
    }

    func move(_ id: ItemID, to place: QueuePlace) async throws {
        let _: ItemRepresentation = try await call(
            .post,
            "/api/items/\(id)/move",
            Move(to: place.word, item: place.item)
        )
    }

    private struct Move: Encodable {
        let to: String
        let item: ItemID?
    }

    private struct Removed: Decodable {
        let removed: ItemID
    }

    private struct Changed: Decodable {
        let changed: Int
    }
}
