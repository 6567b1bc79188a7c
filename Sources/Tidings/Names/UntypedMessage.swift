// SPDX-License-Identifier: Apache-2.0

/// A message that has a name and no separate type.
///
/// `post(named:object:)` posts this type, so observers of all messages receive the post. Posting an
/// `UntypedMessage` yourself has the same effect. An observation of the type receives everything
/// that is posted by name.
///
/// ```swift
/// center.post(UntypedMessage(name: "InternetConnect", object: "home"), about: router)
/// ```
public struct UntypedMessage: Message, CustomStringConvertible {
    /// The name under which the message is posted.
    public let name: String
    /// The object sent along, if any.
    public let object: (any Sendable)?

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - name: The name under which the message is posted.
    ///   - object: The object to send along, if any.
    @inlinable
    public init(name: String, object: (any Sendable)? = nil) {
        self.name = name
        self.object = object
    }

    /// The name, and the object if there is one.
    public var description: String { object.map { "\(name)(\($0))" } ?? name }
}
