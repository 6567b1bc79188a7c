// SPDX-License-Identifier: Apache-2.0

/// A value that announces an event to other parts of a program.
///
/// A message is posted on a ``MessageCenter`` and is delivered to every observer of the message
/// type. Messages cross threads, so the protocol requires `Sendable`. A struct with `let`
/// properties is the usual form. The type of a message is the static type at the call of `post`: a
/// subclass is a different type from its superclass.
///
/// ```swift
/// struct LoggedIn: Message {
///     let name: String
/// }
/// ```
public protocol Message: Sendable {
    /// The part of this message that watchers of the center see, by default only the name.
    static var tracing: MessageTracing { get }
}

extension Message {
    /// The name of the type, without the content.
    public static var tracing: MessageTracing { .nameOnly }
}

/// The part of a message that the watchers of a center see.
///
/// Breadcrumbs leave the program in reports, so the content of a message is shown only if the type
/// allows this.
///
/// ```swift
/// struct PageShown: Message {
///     static var tracing: MessageTracing { .described }
///     let page: String
/// }
/// ```
public struct MessageTracing: Hashable, Sendable {
    private enum Value {
        case nameOnly
        case described
        case hidden
    }

    private let value: Value

    /// The name of the type only.
    public static let nameOnly = MessageTracing(value: .nameOnly)
    /// The name and `String(describing:)` of the message.
    public static let described = MessageTracing(value: .described)
    /// Nothing: watchers receive no record of the post.
    public static let hidden = MessageTracing(value: .hidden)
}

/// A name for a type of message, as the argument of ``MessageCenter/messages(_:fileID:line:)``.
///
/// Declare a static member for a type. Code completion then suggests the member after the dot:
///
/// ```swift
/// struct LoggedIn: Message { let name: String }
///
/// extension MessageType<LoggedIn> {
///     static var loggedIn: MessageType { MessageType() }
/// }
///
/// let token = center.messages(.loggedIn).observe { message in print("hello, \(message.name)") }
/// ```
public struct MessageType<M: Message>: Sendable {
    /// Creates the name of a type.
    public init(_ type: M.Type = M.self) {}
}
