// SPDX-License-Identifier: Apache-2.0

/// Options for the delivery and retention of one message.
///
/// ```swift
/// center.post(Step(number: 2), options: [.nested])
/// center.post(ConnectionChanged(isOnline: true), options: [.retained])
/// center.post(Opened(page: 4), options: [.nested, .retainedUntilHandled])
/// ```
public struct PostingOptions: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Whether a post inside a handler of the same center is delivered immediately.
    var isNested = false
    /// How long the center keeps the message for later observers.
    var retention: Retention?

    /// Combines options.
    ///
    /// - Precondition: At most one option retains the message.
    @inlinable  // The array of the literal is then on the stack.
    public init(arrayLiteral options: PostingOptions...) {
        self.init()
        for option in options { add(option) }
    }

    @usableFromInline
    mutating func add(_ option: PostingOptions) {
        require(
            retention == nil || option.retention == nil,
            """
            A message is retained in one way: [.retained, .retainedUntilHandled] and the like \
            contradict each other. Keep one of them.
            """
        )
        isNested = isNested || option.isNested
        retention = retention ?? option.retention
    }

    @usableFromInline
    init() {}

    private init(isNested: Bool = false, retention: Retention? = nil) {
        self.isNested = isNested
        self.retention = retention
    }

    /// Delivers a handler's message immediately, before the handler continues (depth first).
    ///
    /// Without this option, the message waits until the last handler of the current post has
    /// returned. Outside the handlers of the posting center, the option has no effect.
    public static let nested = PostingOptions(isNested: true)

    /// Keeps the message for later observers until the next retained message of its type.
    ///
    /// Observers that pass a ``Replay`` receive the message when they register. A message about an
    /// object is kept separately from messages about other objects, and only until the object is
    /// deallocated.
    public static let retained = retained(last: 1)

    /// Keeps the newest `count` messages of the type for later observers.
    ///
    /// - Precondition: `count` is at least 1.
    public static func retained(last count: Int) -> PostingOptions {
        require(
            count >= 1,
            """
            A center retains at least 1 message: .retained(last: \(count)) retains none. Post \
            without the option to retain nothing.
            """
        )
        return PostingOptions(retention: .newest(count))
    }

    /// Keeps the message until a handler is called with it, if no handler is called during the
    /// post.
    ///
    /// Pending messages keep their order. Each message is delivered exactly once, to the first
    /// observer of the message type, whatever ``Replay`` this observer passes. A message stays
    /// pending if a filter rejects the message, if the observation ends first, or if the queue of
    /// the observation is full. A sequence takes a message by buffering it. Observers of names or
    /// of all messages receive the post, but do not count. While a message is pending, the center
    /// also keeps the object that the message is about.
    public static let retainedUntilHandled = PostingOptions(retention: .untilHandled)
}
