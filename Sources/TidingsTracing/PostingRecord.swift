// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The record of a post that watchers receive before its first handler runs.
///
/// It exists only during the call that receives it and cannot be kept. Its texts are built on
/// access, so a watcher that only counts has almost no cost.
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

    /// The number of the post, unique in the process: its ``DeliveryRecord`` has the same.
    public var number: UInt64 { event.number }

    /// The number of the post whose handler posted this one on the same thread, if one did.
    public var cause: UInt64? { event.cause }

    /// The nesting depth of handlers at the post; 0 outside every handler of the center.
    public var level: Int { event.level }

    /// The number of observations that the post addresses, 0 if it has no recipient; for a request,
    /// this includes its responders.
    public var recipients: Int { event.recipients }

    /// The name of the message's type, without its module.
    public var name: String { event.content.name }

    /// The message, the location and the number of recipients, on one line.
    public var description: String {
        let noun = recipients == 1 ? "recipient" : "recipients"
        return "#\(number) \(name) from \(location): \(recipients) \(noun)"
    }

    /// The message's own description, if its type allows it with `tracing`.
    public var detail: String? { event.detail }

    /// Where it was posted, as `#fileID:line`.
    public var location: String { event.content.location }

    /// The name of the type of the message's subject, if it has one.
    public var subject: String? { event.content.subject }
}

@available(*, unavailable)
extension PostingRecord: Sendable {}
