// SPDX-License-Identifier: Apache-2.0

/// An event that is delivered to watchers.
enum TraceEvent: ~Copyable {
    case posting(PostingEvent)
    case delivered(DeliveryEvent)
}

/// A post before the first handler runs.
///
/// The event is valid only during the call that receives the event, because the message is not
/// kept.
package struct PostingEvent {
    /// The number of the post, unique in the process.
    package let number: UInt64
    /// The number of recipients, including responders.
    package let recipients: Int
    /// The type, location and subject of the post.
    package let content: PostContent
    private let origin: TraceOrigin
    private let message: Incoming

    init(_ number: UInt64, _ stamp: PostStamp, _ message: Incoming) {
        self.number = number
        recipients = stamp.recipients
        content = stamp.content
        origin = stamp.origin
        self.message = message
    }

    /// The number of the post whose handler made this post on the same thread, if any.
    package var cause: UInt64? { origin.cause }

    /// The nesting depth of handlers at the post.
    package var level: Int { origin.level }

    /// The message's own description, if the message's type allows descriptions.
    package var detail: String? { content.detail(of: message) }
}

@available(*, unavailable)
extension PostingEvent: Sendable {}

/// A post after the last handler has returned.
package struct DeliveryEvent: Sendable {
    /// The number of the post, unique in the process.
    package let number: UInt64
    /// The number of the post whose handler made this post on the same thread, if any.
    package let cause: UInt64?
    /// The nesting depth of handlers at the post.
    package let level: Int
    /// The number of recipients, including responders.
    package let recipients: Int
    /// The type, location and subject of the post.
    package let content: PostContent
    /// The message's own description, if the message's type allows descriptions.
    package let detail: String?
    /// The reason why the center did not deliver the post, or nil for a delivered post.
    package let obstacle: DeliveryObstacle?
    /// The addressed observations, in the order in which the center reached them.
    package let calls: [CallRecord]
    /// The time from the start of the first handler to the end of the last handler.
    package let duration: Duration

    init(
        _ posting: PostingEvent,
        _ obstacle: DeliveryObstacle?,
        calls: [CallRecord],
        duration: Duration
    ) {
        number = posting.number
        cause = posting.cause
        level = posting.level
        recipients = posting.recipients
        content = posting.content
        detail = posting.detail
        self.obstacle = obstacle
        self.calls = calls
        self.duration = duration
    }
}

/// The reason why a center does not deliver a post.
package enum DeliveryObstacle: Sendable {
    /// An interceptor of the center dropped or stopped the post.
    case intercepted
    /// The center was finished.
    case finished
}

/// The outcome of a post at one observation.
package struct CallRecord: Sendable {
    /// The observation of the handler.
    package let observation: ObservationInfo
    /// The outcome of the call, or nil if the handler threw an error.
    package let outcome: CallOutcome?
    /// The name of the type of the error that the handler threw.
    package let failure: String?
    /// The time that the poster spent on the call.
    package let duration: Duration
}
