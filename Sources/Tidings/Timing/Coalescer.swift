// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Combines messages that have the same key into one post.
///
/// The first message starts an interval. At the end of the interval, each key is posted once, with
/// the newest message, in the order in which the keys first appeared. The posts of one round come
/// one after another on one thread, and rounds never overlap, because messages that arrive while
/// handlers run go into the next round.
///
/// No lock is held while a message is posted or keys are compared. The center is held weakly. An
/// object that observes the center may therefore keep a coalescer, and the coalescer posts nothing
/// after the center is deallocated. Dropping the coalescer loses nothing, because pending messages
/// are still posted when due.
///
/// ```swift
/// let changes = center.coalesced(ItemChanged.self, by: \.id, after: .milliseconds(50))
/// for item in imported { changes.post(ItemChanged(id: item.id)) }
/// ```
public final class Coalescer<M: Message>: Sendable {
    private let state: Lock<CoalescerState<Delivery<M>>>
    private let fold: @Sendable ([Delivery<M>]) -> [Delivery<M>]
    private weak let center: MessageCenter?
    private let timeline: Timeline
    private let timer = SleepTimer()

    init<Key: Hashable & Sendable>(
        _ center: MessageCenter,
        by key: @escaping @Sendable (M) -> Key,
        after interval: Duration,
        on timeline: Timeline
    ) {
        require(interval >= .zero, "A coalescer cannot wait for \(interval): zero or more.")
        state = Lock(CoalescerState(interval: interval))
        fold = { $0.newest { key($0.message) } }
        self.center = center
        self.timeline = timeline
    }

    /// Keeps a message as the newest message of a key until that key is due.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - subject: The object that the message is about, if any. The object is kept until the
    ///     message is posted.
    ///   - fileID: The posting file, for watchers of the center.
    ///   - line: The posting line.
    public func post(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let source = SourceLocation(fileID: fileID, line: line)
        let post = Delivery(message: message, about: subject, source: source)
        let now = timeline.now
        perform(state.withLock { $0.arrive(post, at: now) })
    }

    /// Posts the pending messages without waiting until they are due.
    ///
    /// The posts are made on the calling thread, before this call returns. If another thread is
    /// posting the previous round, the posts follow that round immediately, on the thread or actor
    /// on which rounds are normally posted.
    package func flush() {
        let now = timeline.now
        perform(state.withLock { $0.flush(at: now) })
    }

    /// Drops the pending messages.
    ///
    /// After this call has returned, messages that were passed to this coalescer before are not
    /// posted, except in a round whose posts had already started.
    package func discard() {
        // The timer is cleared first, because a message that arrives after the discard sets a new
        // timer.
        timer.clear()
        // Released here, outside the lock, because a `deinit` may post again.
        _ = state.withLock { $0.discard() }
    }

    private func perform(_ action: CoalescerState<Delivery<M>>.Action) {
        switch action {
        case .none: break
        case .fold(let posts):
            let folded = fold(posts)
            let (action, _) = state.withLock { $0.finishFolding(folded) }
            perform(action)
        case .post(let posts):
            send(fold(posts)) { [self] in perform(state.withLock { $0.finishPosting() }) }
        case .setTimer(let deadline):
            // The timer keeps the coalescer alive, so that pending messages outlive the last
            // reference to the coalescer.
            timer.set(to: deadline, on: timeline) { [self] in
                let now = timeline.now
                perform(state.withLock { $0.ring(at: now) })
            }
        }
    }

    /// Posts in order, and calls `done` after this thread has delivered the last post.
    ///
    /// Inside a handler of the center, the posts are queued, followed by `done`.
    private func send(_ posts: [Delivery<M>], then done: @escaping @Sendable () -> Void) {
        guard let center else { return done() }
        for post in posts { _ = center.send(post) }
        let thread = DeliveryThread.current
        if thread.isDelivering(for: center) {
            thread.enqueue(for: center, done)
        } else {
            done()
        }
    }
}

extension Array {
    /// Returns the last element of each key, in the order in which the keys first appear.
    func newest<Key: Hashable & Sendable>(by key: (Element) -> Key) -> [Element] {
        var indices: [Key: Int] = [:]
        var newest: [Element] = []
        for element in self {
            let index = indices[key(element), default: newest.count]
            if index < newest.count {
                newest[index] = element
            } else {
                indices[key(element)] = index
                newest.append(element)
            }
        }
        return newest
    }
}

extension MessageCenter {
    /// Returns a coalescer that posts messages of a type on this center, one for each key and
    /// interval.
    ///
    /// The interval starts with the first message when none is pending. At the end of the interval,
    /// the coalescer posts on a thread of the runtime's pool.
    ///
    /// ```swift
    /// let changes = center.coalesced(ItemChanged.self, by: \.id, after: .milliseconds(50))
    /// changes.post(ItemChanged(id: 7))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - key: Returns the key of a message. Messages with the same key are combined. Called
    ///     without a lock, possibly more than once for a message. A constant combines all messages.
    ///   - interval: The time for which messages are gathered. Zero posts as soon as a thread of
    ///     the pool is free.
    ///   - clock: The clock that measures the interval.
    /// - Returns: The coalescer, which gathers separately from other coalescers.
    /// - Precondition: `interval` is not negative.
    public func coalesced<M: Message, Key: Hashable & Sendable>(
        _ type: M.Type,
        by key: @escaping @Sendable (M) -> Key,
        after interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Coalescer<M> {
        Coalescer(self, by: key, after: interval, on: Timeline(clock))
    }
}
