// SPDX-License-Identifier: Apache-2.0

/// A value that announces an event to the other parts of a program.
///
/// A message is posted on a ``MessageCenter`` and is delivered to every observer of its type. It
/// crosses threads, so it is `Sendable`; a struct with `let` properties is the usual form. Its type
/// is the static type under which it is posted: a subclass is a different type from its superclass.
///
/// ```swift
/// struct LoggedIn: Message {
///     let name: String
/// }
/// ```
public protocol Message: Sendable {
    /// How much of this message watchers of the center see; only the name by default.
    static var tracing: MessageTracing { get }
}

extension Message {
    /// The name of the type, without the content.
    public static var tracing: MessageTracing { .nameOnly }
}

/// How much of a message the watchers of a center see.
///
/// Breadcrumbs leave the program in reports, so a message shows its content only if its type allows
/// that.
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
/// Declare a static member for a type, and code completion finds it after the dot:
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
