// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    /// Moves a queued item in the order of the queue.
    func move(_ text: Substring, _ request: ServerRequest) async throws -> ServerResponse {
        let wanted = try JSONCoding.decode(MoveJSON.self, from: request.body)
        guard let place = QueuePlace(wanted.to, item: wanted.item) else {
            throw ServerError(
                .badRequest,
                "The place in the queue is unknown. Use “to” with “top”, “up”, “down” or “bottom”, or "
                    + "with “before” and the number of an “item”."
            )
        }
        let item = try await library.move(try identifier(text), to: place)
        return .json(representation(of: item))
    }

    /// Ends a download and removes its item.
    func cancel(_ text: Substring) async throws -> ServerResponse {
        let id = try identifier(text)
        try await library.cancel(id)
        return .json(RemovalJSON(removed: id))
    }

    /// Pauses, resumes or retries all items that this concerns; nil for any other action.
    func changeAll(by action: Substring) async throws -> ServerResponse? {
        guard let action = CommonAction(rawValue: String(action)) else { return nil }
        return .json(ChangedJSON(changed: try await library.change(all: action)))
    }
}

/// The request of `POST /api/items/ID/move`.
private struct MoveJSON: Decodable {
    let to: String
    /// The item before which to move it.
    let item: ItemID?
}

/// The response to an action for all items.
private struct ChangedJSON: Encodable {
    let changed: Int
}
