// SPDX-License-Identifier: Apache-2.0

/// A message that has a name and no type of its own.
///
/// It is what `post(named:object:)` posts, so it is what somebody receives who observes all
/// messages; posting one has the same effect. Observed as a type it stands for everything that is
/// posted by name.
///
/// ```swift
/// center.post(UntypedMessage(name: "InternetConnect", object: "home"), about: router)
/// ```
public struct UntypedMessage: Message, CustomStringConvertible {
    /// The name under which it is posted.
    public let name: String
    /// What is sent along, if anything.
    public let object: (any Sendable)?

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - name: The name under which it is posted.
    ///   - object: What is sent along.
    @inlinable
    public init(name: String, object: (any Sendable)? = nil) {
        self.name = name
        self.object = object
    }

    /// The name, and the object if there is one.
    public var description: String { object.map { "\(name)(\($0))" } ?? name }
}
