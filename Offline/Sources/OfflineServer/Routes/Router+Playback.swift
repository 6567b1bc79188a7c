// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    /// Returns how far an item has been played.
    func playback(_ text: Substring) throws -> ServerResponse {
        .json(try library.item(try identifier(text)).playback)
    }

    /// Records how far an item has been played, or a mark of the person.
    func play(_ text: Substring, _ request: ServerRequest) throws -> ServerResponse {
        let wanted = try JSONCoding.decode(PlaybackChangeJSON.self, from: request.body)
        let id = try identifier(text)
        let change = try PlaybackChange(
            seconds: wanted.seconds,
            isWatched: wanted.isWatched,
            age: wanted.age
        )
        return .json(try library.play(id, change))
    }

    /// Returns the finished items that a person can continue, the last played first.
    func listPlayback(_ request: ServerRequest) throws -> ServerResponse {
        let count = try number("count", in: request, from: 1, through: 100, otherwise: 20)
        let items = try library.itemsInPlayback(limit: count)
        return .json(PlaybackListJSON(items: items.map(representation)))
    }
}

/// The request of `PUT /api/items/ID/playback`.
private struct PlaybackChangeJSON: Decodable {
    var seconds: Double?
    var isWatched: Bool?
    var age: Double?
}

/// The response to `GET /api/playback`.
private struct PlaybackListJSON: Encodable {
    let items: [ItemRepresentation]
}

/// The event `playback`.
struct PlaybackJSON: Codable, Sendable {
    let id: ItemID
    let playback: Playback
}
