// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The record of a post that watchers receive after the last handler has returned.
///
/// The record is a value that can be kept. The record contains no part of the message except the
/// description, and the description only if the message's type allows descriptions.
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

    /// The number of the post, unique in the process and equal to the number in the
    /// ``PostingRecord``.
    public var number: UInt64 { event.number }

    /// The number of the post whose handler made this post on the same thread, if any.
    public var cause: UInt64? { event.cause }

    /// The nesting depth of handlers at the post, with 0 outside every handler of the center.
    public var level: Int { event.level }

    /// The number of observations that the post addressed, including the responders to a request.
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
    /// The array is built on each access.
    public var handlers: [HandlerRecord] { event.calls.map(HandlerRecord.init) }

    /// The time from the start of the first handler to the end of the last handler.
    public var duration: Duration { event.duration }

    /// The message's own description, if `tracing` of the message's type allows descriptions.
    public var detail: String? { event.detail }

    /// The name of the message's type, without the module.
    public var name: String { event.content.name }

    /// The location of the post, as `#fileID:line`.
    public var location: String { event.content.location }

    /// The name of the subject's type, if the message has a subject.
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
    /// The center delivered the message to the recipients.
    case delivered
    /// The post had no recipient.
    case unhandled
    /// An interceptor of the center dropped or stopped the message.
    case intercepted
    /// The center was finished.
    case finished
}
