// SPDX-License-Identifier: Apache-2.0

/// A value that tells the other parts of a program what happened.
///
/// A message is posted on a ``MessageCenter`` and reaches everybody who observes its type. It
/// crosses threads, so it is `Sendable`; a struct with `let` properties is the usual form. Its type
/// is the one that it is posted as: a subclass is another type than its superclass.
///
/// ```swift
/// struct LoggedIn: Message {
///     let name: String
/// }
/// ```
public protocol Message: Sendable {
    /// How much of this message a watcher of the center may see; its name only, unless stated.
    static var tracing: MessageTracing { get }
}

extension Message {
    /// The name of the type and nothing of its content.
    public static var tracing: MessageTracing { .nameOnly }
}

/// How much of a message those may see who watch a center for diagnostics.
///
/// Breadcrumbs leave the program in reports, so a message shows its content only when it says so.
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
    /// Nothing: watchers never learn that it was posted.
    public static let hidden = MessageTracing(value: .hidden)
}
