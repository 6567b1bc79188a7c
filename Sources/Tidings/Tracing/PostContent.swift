// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The type, location and subject of a post, kept without building a string.
package struct PostContent: Sendable {
    let type: any Message.Type
    let messageName: MessageName
    let source: SourceLocation
    private let subjectType: (any (AnyObject & Sendable).Type)?
    private let subjectText: String?

    init(
        type: any Message.Type,
        name: MessageName,
        source: SourceLocation,
        subject: (any AnyObject & Sendable)?
    ) {
        self.type = type
        messageName = name
        self.source = source
        subjectType = subject.map { Swift.type(of: $0) }
        subjectText = (subject as? any TracedSubject)?.traceText
    }

    /// The name of the message's type, without the module.
    package var name: String { messageName.text }

    /// The location of the post, as `#fileID:line`.
    package var location: String { source.description }

    /// The subject's own text or the name of the subject's type, or nil without a subject.
    package var subject: String? { subjectText ?? subjectType.map { String(describing: $0) } }

    /// Returns the description of `message`, if the message's type, which is `type`, allows
    /// descriptions.
    func detail(of message: Incoming) -> String? { type.detail(of: message) }
}

/// A subject with more text in a trace than the name of the subject's type.
package protocol TracedSubject: AnyObject, Sendable {
    /// The text for watchers, which contains nothing of the message.
    var traceText: String { get }
}

/// The description of a post without its message.
///
/// The type is not generic, because each step of a trace would otherwise look up the message's
/// type.
struct PostStamp {
    let content: PostContent
    let origin: TraceOrigin
    let recipients: Int

    init<M: Message>(_ delivery: Delivery<M>, recipients: Int) {
        content = PostContent(
            type: M.self,
            name: delivery.name,
            source: delivery.source,
            subject: delivery.about
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
        return message.read { (message: borrowing Self) in
            let message = copy message
            // `String(describing:)` first checks for another protocol, which costs as much again.
            return (message as? any CustomStringConvertible)?.description
                ?? String(describing: message)
        }
    }
}

/// The cause of a post, for watchers.
struct TraceOrigin: Sendable {
    /// The number of the post whose handler made this post.
    var cause: UInt64?
    /// The nesting depth of handlers at the post.
    var level = 0
    /// Whether a watcher made the post, directly or through the handlers of a message.
    ///
    /// Watchers do not see such a post, because a watcher would otherwise trace its own posts
    /// endlessly.
    var isMuted = false
}

/// The context of a running delivery, for posts from the delivery's handlers.
struct TraceContext: Sendable {
    let center: ObjectIdentifier
    let origin: TraceOrigin
}

extension DeliveryThread {
    /// Returns the cause of a post that is made on `center` now.
    func traceOrigin(of center: MessageCenter) -> TraceOrigin {
        let id = ObjectIdentifier(center)
        var origin = state { $0.traces.last { $0.center == id }?.origin } ?? TraceOrigin()
        if isInside(.watcher, of: center) { origin.isMuted = true }
        return origin
    }

    func beginTrace(_ context: TraceContext) {
        state { $0.traces.append(context) }
    }

    func endTrace() {
        state { _ = $0.traces.popLast() }
    }
}

/// The name of a message, kept without building a string.
enum MessageName: Sendable {
    /// The name of a type, without the module.
    case type(any Sendable.Type)
    case text(String)

    var text: String {
        switch self {
        case .type(let type): Self.text(of: type)
        case .text(let text): text
        }
    }

    private static func text(of type: any Sendable.Type) -> String {
        let id = ObjectIdentifier(type)
        if let known = texts.withLock({ $0[id] }) { return known }
        let text = String(describing: type)
        texts.withLock { $0[id] = text }
        return text
    }

    /// The names of the traced types, kept because building a name takes a microsecond.
    private static let texts = Lock<[ObjectIdentifier: String]>([:])
}
