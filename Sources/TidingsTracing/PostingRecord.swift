// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The record of a post that watchers receive before the first handler runs.
///
/// The record exists only during the call that receives the record, and cannot be kept. All strings
/// are built on access, so a watcher that only counts has almost no cost.
///
/// ```swift
/// let token = center.watch(posting: { posting in
///     print("\(posting.name) from \(posting.location)")
/// })
/// ```
public struct PostingRecord: ~Copyable {
    private let event: PostingEvent

    init(_ event: PostingEvent) {
        self.event = event
    }

    /// The number of the post, unique in the process and equal to the number in the
    /// ``DeliveryRecord``.
    public var number: UInt64 { event.number }

    /// The number of the post whose handler made this post on the same thread, if any.
    public var cause: UInt64? { event.cause }

    /// The nesting depth of handlers at the post, with 0 outside every handler of the center.
    public var level: Int { event.level }

    /// The number of observations that the post addresses, including the responders to a request.
    public var recipients: Int { event.recipients }

    /// The name of the message's type, without the module.
    public var name: String { event.content.name }

    /// The message, the location and the number of recipients, on one line.
    public var description: String {
        let noun = recipients == 1 ? "recipient" : "recipients"
        return "#\(number) \(name) from \(location): \(recipients) \(noun)"
    }

    /// The message's own description, if `tracing` of the message's type allows descriptions.
    public var detail: String? { event.detail }

    /// The location of the post, as `#fileID:line`.
    public var location: String { event.content.location }

    /// The name of the subject's type, if the message has a subject.
    public var subject: String? { event.content.subject }
}

@available(*, unavailable)
extension PostingRecord: Sendable {}
