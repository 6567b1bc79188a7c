// SPDX-License-Identifier: Apache-2.0

/// A type of message under a name that reads well at the call, or the changes among its messages.
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
/// let token = center.observe(.loggedIn) { message in print("hello, \(message.name)") }
/// ```
///
/// `observe(.loggedIn)` and `observe(LoggedIn.self)` are the same observation, and what is posted
/// stays a `LoggedIn`. Messages that can be compared also have ``changes(of:)``.
public struct MessageType<M: Message>: Sendable {
    typealias Filter = @Sendable (M) -> Bool

    /// Makes the filter of one observation out of the one that it asks for.
    let filter: @Sendable (_ other: Filter?) -> Filter?

    /// Creates the identifier of a type.
    public init(_ type: M.Type = M.self) {
        filter = { $0 }
    }

    fileprivate init(_ filter: @escaping @Sendable (Filter?) -> Filter?) {
        self.filter = filter
    }
}

extension MessageType where M: Equatable {
    /// The messages of a type that differ from the last one with which the handler was called.
    ///
    /// Each observation remembers for itself. A message that equals the last one passes it by, and
    /// `post` counts the observation as addressed all the same. The first message is a change.
    /// What a filter refuses, or comes while the observation is blocked, is not remembered. What
    /// its full queue then drops is remembered, and so is a message whose post gave up waiting for
    /// room: where each change must arrive, leave the queue unbounded.
    /// Messages are compared where filters are called, without a lock. When two threads post equal
    /// messages at once, the handler is called with one of them; when they post different ones, it
    /// is called with both, and the next is compared with the one that was let through last.
    ///
    /// ```swift
    /// let token = center.observe(.changes(of: Volume.self)) { print("now \($0.level)") }
    /// ```
    public static func changes(of type: M.Type) -> MessageType {
        MessageType { Conflation.filter(after: $0) }
    }

    /// The messages of this type that differ from the last one with which the handler was called.
    ///
    /// ```swift
    /// let token = center.observe(.volumeSet.changes, on: .main) { slider.value = $0.level }
    /// ```
    public var changes: MessageType { .changes(of: M.self) }
}
