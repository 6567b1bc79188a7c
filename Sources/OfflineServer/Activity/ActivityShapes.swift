// SPDX-License-Identifier: Apache-2.0
import Tidings

// The JSON of the Activity page.

/// One post: who posted what, who received it, and how long that took.
struct ActivityPostJSON: Codable, Sendable, Equatable {
    var number: UInt64
    /// The number of the post whose handler posted this one.
    var cause: UInt64?
    var message: String
    var location: String
    /// The message's own description, if its type allows it.
    var detail: String?
    /// `delivered`, `unheard`, `intercepted` or `finished`.
    var outcome: String
    /// From the first handler to the end of the last.
    var seconds: Double
    var handlers: [ActivityHandlerJSON]

    init(_ delivery: DeliveryRecord) {
        number = delivery.number
        cause = delivery.cause
        message = delivery.name
        location = delivery.location
        detail = delivery.detail
        outcome = String(describing: delivery.outcome)
        seconds = delivery.duration / .seconds(1)
        handlers = delivery.handlers.map { ActivityHandlerJSON($0) }
    }
}

/// What one handler made of a post.
struct ActivityHandlerJSON: Codable, Sendable, Equatable {
    /// Where the handler was registered.
    var location: String
    var kind: String
    /// `called`, `queued`, `skipped`, `ended`, `ownerDied` or `failed`.
    var outcome: String
    /// The type of the error that it threw.
    var error: String?
    /// How long the poster spent on it.
    var seconds: Double

    init(_ handler: HandlerRecord) {
        location = handler.observation.location
        kind = handler.observation.kind.description
        seconds = handler.duration / .seconds(1)
        if case .failed(let type) = handler.outcome {
            (outcome, error) = ("failed", type)
        } else {
            outcome = String(describing: handler.outcome)
        }
    }
}

/// The observations that were made at one place.
struct ActivityPlaceJSON: Codable, Sendable, Equatable {
    var location: String
    var messages: [String]
    var count: Int
    var kinds: [String: Int]
    /// How many messages wait for them.
    var pending: Int
    /// How many messages they lost.
    var dropped: Int

    init(_ place: LeakReport.Place) {
        location = place.location
        messages = place.messages
        count = place.count
        kinds = Dictionary(
            place.kinds.map { ($0.key.description, $0.value) },
            uniquingKeysWith: +
        )
        pending = place.pending
        dropped = place.dropped
    }
}

/// All that the page shows.
struct ActivityJSON: Codable, Sendable {
    /// Whether posts are watched: only while somebody follows them.
    var isWatched: Bool
    /// The newest last.
    var posts: [ActivityPostJSON]
    /// The place with the most observations first.
    var observations: [ActivityPlaceJSON]
}
