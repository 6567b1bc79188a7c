// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsTracing

// The JSON payloads of the Activity section.

/// One post with the message, the place that posted it, the handlers and their durations.
package struct ActivityPostJSON: Codable, Sendable, Equatable {
    var number: UInt64
    /// The number of the post whose handler posted this one.
    var cause: UInt64?
    var message: String
    var location: String
    /// The message's description, absent unless the message's type permits one.
    var detail: String?
    /// `delivered`, `unhandled`, `intercepted` or `finished`.
    var outcome: String
    /// The time from the start of the first handler to the end of the last one.
    var seconds: Double
    var handlers: [ActivityHandlerJSON]

    /// Creates the value.
    package init(_ delivery: DeliveryRecord) {
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

/// The outcome of one post for one handler.
package struct ActivityHandlerJSON: Codable, Sendable, Equatable {
    /// The source location that registered the handler.
    var location: String
    var kind: String
    /// `called`, `queued`, `skipped`, `ended`, `ownerDied` or `failed`.
    var outcome: String
    /// The type of the error that the handler threw.
    var error: String?
    /// The time that the poster spent on the handler.
    var seconds: Double

    /// Creates the value.
    package init(_ handler: HandlerRecord) {
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

/// The observations that one source location registered.
package struct ActivityPlaceJSON: Codable, Sendable, Equatable {
    var location: String
    var messages: [String]
    var count: Int
    var kinds: [String: Int]
    /// The number of messages in the buffers of these observations.
    var pending: Int
    /// The number of messages that the buffers of these observations dropped.
    var dropped: Int

    /// Creates the value.
    package init(_ place: LeakReport.Place) {
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

/// The payload of `GET /api/activity` and of the first event of its stream.
package struct ActivityJSON: Codable, Sendable {
    /// Whether posts are recorded.
    ///
    /// True only while a stream follows them.
    var isWatched: Bool
    /// The recorded posts, with the newest last.
    var posts: [ActivityPostJSON]
    /// The observations by source location.
    ///
    /// The location with the most observations comes first.
    var observations: [ActivityPlaceJSON]

    /// Creates the payload.
    package init(
        isWatched: Bool,
        posts: [ActivityPostJSON],
        observations: [ActivityPlaceJSON]
    ) {
        self.isWatched = isWatched
        self.posts = posts
        self.observations = observations
    }
}
