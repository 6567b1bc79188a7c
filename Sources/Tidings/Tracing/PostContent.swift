// SPDX-License-Identifier: Apache-2.0

/// The type, location and subject of a post, kept without building a text.
package struct PostContent: Sendable {
    let type: any Message.Type
    let messageName: MessageName
    let source: SourceLocation
    var subjectType: (any (AnyObject & Sendable).Type)?

    init(
        type: any Message.Type,
        name: MessageName,
        source: SourceLocation,
        subject: (any (AnyObject & Sendable).Type)?
    ) {
        self.type = type
        messageName = name
        self.source = source
        subjectType = subject
    }

    /// The name of the message's type, without its module.
    package var name: String { messageName.text }

    /// Where it was posted, as `#fileID:line`.
    package var location: String { source.description }

    /// The name of the type of the message's subject, if it has one.
    package var subject: String? { subjectType.map { String(describing: $0) } }

    /// The description of `message`, which is of `type`, if its type allows it.
    func detail(of message: Incoming) -> String? { type.detail(of: message) }
}

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

extension Message {
    fileprivate static func detail(of message: Incoming) -> String? {
        guard tracing == .described else { return nil }
        return message.read { (message: borrowing Self) in String(describing: copy message) }
    }
}
