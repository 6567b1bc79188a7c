// SPDX-License-Identifier: Apache-2.0

/// How a center delivers and keeps one message.
///
/// ```swift
/// center.post(Step(number: 2), options: [.nested])
/// center.post(ConnectionChanged(isOnline: true), options: [.retained])
/// center.post(Opened(page: 4), options: [.nested, .retainedUntilHandled])
/// ```
public struct PostingOptions: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Whether it is delivered inside a handler of the same center.
    var isNested = false
    /// How long the center keeps the message for later observers.
    var retention: Retention?

    /// Combines options.
    ///
    /// - Precondition: At most one of them retains the message.
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

    /// Delivers a message that a handler posts at once, before that handler continues: depth first.
    ///
    /// Without it, the message waits until the last handler of the current post has returned. It
    /// changes nothing outside the handlers of the center that posts.
    public static let nested = PostingOptions(isNested: true)

    /// Keeps the message for later observers until the next retained message of its type.
    ///
    /// Observers that ask for it with ``Replay`` receive it when they register. A message that is
    /// about an object is kept apart from messages about others, and until that object dies.
    public static let retained = retained(last: 1)

    /// Keeps up to `count` messages of the type for later observers, the newest ones.
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

    /// Keeps the message until one handler was called with it, if no handler is when it is posted.
    ///
    /// Waiting messages keep their order. Each goes exactly once to the first observer of its type,
    /// whatever the ``Replay`` of that observer. A message waits on if a filter turns it down, if
    /// the observation ends first, or if its queue is full. A sequence takes a message when it
    /// buffers it. Observers of names or of all messages receive the post, but do not count. The
    /// center keeps the object that the message is about alive meanwhile.
    public static let retainedUntilHandled = PostingOptions(retention: .untilHandled)
}
