// SPDX-License-Identifier: Apache-2.0

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
    /// The number of the post, unique in the process: its ``DeliveryRecord`` has the same.
    public let number: UInt64
    /// The number of the post whose handler posted this one on the same thread, if one did.
    public let cause: UInt64?
    /// The nesting depth of handlers at the post; 0 outside every handler of the center.
    public let level: Int
    /// The number of observations that the post addresses, 0 if it has no recipient; for a request,
    /// this includes its responders.
    public let recipients: Int

    let content: PostContent
    private let message: Incoming

    init(_ number: UInt64, _ stamp: PostStamp, _ message: Incoming) {
        self.number = number
        cause = stamp.origin.cause
        level = stamp.origin.level
        recipients = stamp.recipients
        content = stamp.content
        self.message = message
    }

    /// The name of the message's type, without its module.
    public var name: String { content.name.text }

    /// The message, the location and the number of recipients, on one line.
    public var description: String {
        let noun = recipients == 1 ? "recipient" : "recipients"
        return "#\(number) \(name) from \(location): \(recipients) \(noun)"
    }

    /// The message's own description, if its type allows it with `tracing`.
    public var detail: String? { content.detail(of: message) }

    /// Where it was posted, as `#fileID:line`.
    public var location: String { content.source.description }

    /// The name of the type of the message's subject, if it has one.
    public var subject: String? { content.subjectName }
}

@available(*, unavailable)
extension PostingRecord: Sendable {}

/// The description of a post without its message.
///
/// Not generic: otherwise each step of a trace would look up the message's type.
struct PostStamp {
    let content: PostContent
    let origin: TraceOrigin
    let recipients: Int

    init<M: Message>(_ delivery: Delivery<M>, recipients: Int) {
        content = PostContent(
            type: M.self,
            name: delivery.name,
            source: delivery.source,
            subject: delivery.about.map { type(of: $0) }
        )
        origin = delivery.origin
        self.recipients = recipients + delivery.responders
    }

    init(_ content: PostContent, origin: TraceOrigin, recipients: Int) {
        self.content = content
        self.origin = origin
        self.recipients = recipients
    }
}

/// The type, location and subject of a post, kept without building a text.
struct PostContent: Sendable {
    let type: any Message.Type
    let name: MessageName
    let source: SourceLocation
    var subject: (any (AnyObject & Sendable).Type)?

    var subjectName: String? { subject.map { String(describing: $0) } }

    /// The description of `message`, which is of `type`, if its type allows it.
    func detail(of message: Incoming) -> String? { type.detail(of: message) }
}

extension Message {
    fileprivate static func detail(of message: Incoming) -> String? {
        guard tracing == .described else { return nil }
        return message.read { (message: borrowing Self) in String(describing: copy message) }
    }
}
