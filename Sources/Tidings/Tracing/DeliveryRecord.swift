// SPDX-License-Identifier: Apache-2.0

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
    /// The number of the post, unique in the process: its ``PostingRecord`` had the same.
    public let number: UInt64
    /// The number of the post whose handler posted this one on the same thread, if one did.
    public let cause: UInt64?
    /// The nesting depth of handlers at the post; 0 outside every handler of the center.
    public let level: Int
    /// The number of observations that the post addressed; for a request, this includes its
    /// responders.
    public let recipients: Int
    /// The outcome of the post.
    public let outcome: PostOutcome
    /// The addressed observations, in the order in which the center reached them.
    public let handlers: [HandlerRecord]
    /// The time from the start of the first handler to the end of the last.
    public let duration: Duration
    /// The message's own description, if its type allows it with `tracing`.
    public let detail: String?

    private let content: PostContent

    init(
        _ posting: borrowing PostingRecord,
        _ outcome: PostOutcome,
        handlers: [HandlerRecord],
        duration: Duration
    ) {
        number = posting.number
        cause = posting.cause
        level = posting.level
        recipients = posting.recipients
        detail = posting.detail
        content = posting.content
        self.outcome = outcome
        self.handlers = handlers
        self.duration = duration
    }

    /// The name of the message's type, without its module.
    public var name: String { content.name.text }

    /// Where it was posted, as `#fileID:line`.
    public var location: String { content.source.description }

    /// The name of the type of the message's subject, if it has one.
    public var subject: String? { content.subjectName }

    /// The message, the location and the outcome, on one line.
    public var description: String {
        let head = "#\(number) \(name) from \(location)"
        guard case .delivered = outcome else { return "\(head): \(outcome)" }
        let noun = handlers.count == 1 ? "handler" : "handlers"
        return "\(head): \(handlers.count) \(noun) in \(duration.shortText)"
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
