// SPDX-License-Identifier: Apache-2.0

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
