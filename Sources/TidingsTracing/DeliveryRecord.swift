// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The record of a post that watchers receive after its last handler has returned.
///
/// A value that can be kept: of the message it holds only the description, and that only if the
/// message's type allows it.
///
/// ```swift
/// let token = center.watch(delivered: { delivery in
///     for handler in delivery.handlers { print(handler) }
/// })
/// ```
public struct DeliveryRecord: Sendable, CustomStringConvertible {
    private let event: DeliveryEvent

    init(_ event: DeliveryEvent) {
        self.event = event
    }

    /// The number of the post, unique in the process: its ``PostingRecord`` had the same.
    public var number: UInt64 { event.number }

    /// The number of the post whose handler posted this one on the same thread, if one did.
    public var cause: UInt64? { event.cause }

    /// The nesting depth of handlers at the post; 0 outside every handler of the center.
    public var level: Int { event.level }

    /// The number of observations that the post addressed; for a request, this includes its
    /// responders.
    public var recipients: Int { event.recipients }

    /// The outcome of the post.
    public var outcome: PostOutcome {
        switch event.obstacle {
        case .intercepted: .intercepted
        case .finished: .finished
        case nil: recipients == 0 ? .unhandled : .delivered
        }
    }

    /// The addressed observations, in the order in which the center reached them.
    ///
    /// Built on each access.
    public var handlers: [HandlerRecord] { event.calls.map(HandlerRecord.init) }

    /// The time from the start of the first handler to the end of the last.
    public var duration: Duration { event.duration }

    /// The message's own description, if its type allows it with `tracing`.
    public var detail: String? { event.detail }

    /// The name of the message's type, without its module.
    public var name: String { event.content.name }

    /// Where it was posted, as `#fileID:line`.
    public var location: String { event.content.location }

    /// The name of the type of the message's subject, if it has one.
    public var subject: String? { event.content.subject }

    /// The message, the location and the outcome, on one line.
    public var description: String {
        let head = "#\(number) \(name) from \(location)"
        guard case .delivered = outcome else { return "\(head): \(outcome)" }
        let count = event.calls.count
        let noun = count == 1 ? "handler" : "handlers"
        return "\(head): \(count) \(noun) in \(duration.shortText)"
    }
}

/// The outcome of a post.
@nonexhaustive public enum PostOutcome: Hashable, Sendable {
    /// The center delivered it to its recipients.
    case delivered
    /// It had no recipient.
    case unhandled
    /// An interceptor of the center dropped it.
    case intercepted
    /// The center was finished.
    case finished
}
