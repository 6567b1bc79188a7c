// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
import OfflineMedia
package import OfflineModel
import OfflineSources
package import OfflineStore

// The small inputs and outputs of the operations on items.

extension Identifier: PathInput {
    /// Reads a number.
    ///
    /// - Throws: `LibraryError` with `.notFound`, or `FeedError` with `.notFollowed`.
    package init(pathValue text: String) throws {
        guard let id = Self(text) else { throw Self.failure(text.prefix(20)) }
        self = id
    }

    /// The number.
    package var pathValue: String { description }

    private static func failure(_ text: Substring) -> any Error {
        switch Subject.self {
        case is Feed.Type:
            FeedError(
                .notFollowed,
                "“\(text)” is not the number of a feed. Use a number from the list."
            )
        case is MediaCollection.Type:
            LibraryError(
                .notFound,
                "“\(text)” is not the number of a collection. Use one from the list."
            )
        default:
            LibraryError(.notFound, "“\(text)” is not an item number. Use a number from the list.")
        }
    }
}

extension CommonAction: PathInput {
    /// Reads the name of an action.
    package init(pathValue text: String) throws {
        guard let action = Self(rawValue: text) else { throw APIError.nothingHere }
        self = action
    }

    /// The name.
    package var pathValue: String { rawValue }
}

extension APIError {
    /// The error of an unknown path.
    package static var nothingHere: APIError {
        APIError(
            .notFound,
            "There is nothing at this address. Check the path and the method of the request."
        )
    }
}

extension QueuePlace: JSONInput {
    private struct Body: Codable {
        let to: String
        /// The item in front of which the moved item goes.
        let item: ItemID?
    }

    /// Decodes a place.
    ///
    /// - Throws: `APIError` with `.badRequest` for an unknown place.
    package init(from decoder: any Decoder) throws {
        let body = try Body(from: decoder)
        guard let place = QueuePlace(body.to, item: body.item) else {
            throw APIError(
                .badRequest,
                "The place in the queue is unknown. Use “to” with “top”, “up”, “down” or “bottom”, or "
                    + "with “before” and the number of an “item”."
            )
        }
        self = place
    }

    /// Encodes the place.
    package func encode(to encoder: any Encoder) throws {
        try Body(to: word, item: item).encode(to: encoder)
    }
}

extension PlaybackChange: JSONInput {
    private struct Body: Codable {
        let seconds: Double?
        let isWatched: Bool?
        let age: Double?
    }

    /// Decodes a change.
    package init(from decoder: any Decoder) throws {
        let body = try Body(from: decoder)
        try self.init(seconds: body.seconds, isWatched: body.isWatched, age: body.age)
    }

    /// Encodes the change.
    package func encode(to encoder: any Encoder) throws {
        try Body(seconds: seconds, isWatched: isWatched, age: age).encode(to: encoder)
    }
}

/// The removal of an item.
package struct ItemRemoval: OperationInput {
    let id: ItemID
    let withFile: Bool

    /// Creates an input.
    package init(_ id: ItemID, withFile: Bool) {
        self.id = id
        self.withFile = withFile
    }

    /// Reads the path and the query.
    package init(_ parts: RequestParts) throws {
        try self.init(ItemID(parts), withFile: parts.query["withFile"] == "true")
    }

    /// Returns the path and the query.
    package func parts() -> RequestParts {
        RequestParts(values: [id.pathValue], query: withFile ? ["withFile": "true"] : [:])
    }
}

/// The request of `POST /api/items/ID/rename`.
package struct TitleJSON: JSONInput {
    let title: String

    /// Creates a request.
    package init(title: String) { self.title = title }
}

/// The request of `POST /api/items/ID/retry`.
package struct RetryJSON: JSONInput {
    /// The address that replaces the item's own address, or absent to keep the item's address.
    let address: String?

    /// Creates a request.
    package init(address: String? = nil) { self.address = address }
}

/// The response to a removal.
package struct RemovalJSON: Codable, Sendable {
    let removed: ItemID
}

/// The response to an action for all items.
package struct ChangedJSON: Codable, Sendable {
    /// The number of changed items.
    package let changed: Int
}

/// The response of `GET /api/items/ID/tracks`.
package struct TracksJSON: Codable, Sendable {
    let tracks: [TrackRepresentation]
}

/// The response of `GET /api/playback`.
package struct PlaybackListJSON: Codable, Sendable {
    let items: [ItemRepresentation]
}
