// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Makes one post of several messages that have the same key.
///
/// The first message begins an interval, or waits for the next turn of the main actor, according
/// to how the coalescer was made. When that is over, each key is posted once, with its newest
/// message, in the order in which the keys came first. The posts of one round come one after the
/// other on one thread, and rounds never overlap: what comes while handlers are busy with one goes
/// into the next.
///
/// No lock is held while a message is posted or keys are compared. The center is held weakly: a
/// coalescer may be kept by an object that observes the same center, and posts nothing once the
/// center is gone. Dropping the coalescer loses nothing: what waits is posted when its time comes.
/// Whoever wants it earlier, or never, calls ``flush()`` or ``discard()`` first.
///
/// ```swift
/// let changes = center.coalesced(ItemChanged.self, by: \.id, after: .milliseconds(50))
/// for item in imported { changes.post(ItemChanged(id: item.id)) }
/// ```
public final class Coalescer<M: Message>: Sendable {
    private let state: Lock<CoalescerState<Delivery<M>>>
    private let fold: @Sendable ([Delivery<M>]) -> [Delivery<M>]
    private let outlet: Outlet
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
        outlet = Outlet(center)
        self.timeline = timeline
    }

    /// Keeps a message as the newest of its key until its time comes.
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - subject: What it is about, if anything; it is kept until the message is posted.
    ///   - fileID: The posting file, for those who watch the center.
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

    /// Posts what waits without waiting for its time.
    ///
    /// On the calling thread, before it returns; if another thread is just posting the round
    /// before, right after that where rounds are posted otherwise.
    public func flush() {
        let now = timeline.now
        perform(state.withLock { $0.flush(at: now) })
    }

    /// Forgets what waits.
    ///
    /// After it has returned, no message is posted that was given to this coalescer before, except
    /// those of a round whose posts had already begun.
    public func discard() {
        // First: a message that comes once those are forgotten sets the timer for itself.
        timer.clear()
        // Released here, not under the lock, and with deinits that may post again.
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
            outlet.post(fold(posts)) { [self] in perform(state.withLock { $0.finishPosting() }) }
        case .setTimer(let deadline):
            // The timer keeps the coalescer, so that what waits survives its drop.
            timer.set(to: deadline, on: timeline) { [self] in
                let now = timeline.now
                perform(state.withLock { $0.ring(at: now) })
            }
        }
    }
}

extension Array {
    /// The last element of each key, in the order in which the keys come first.
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
    /// Returns a coalescer that posts messages of a type here, one for each key and interval.
    ///
    /// The interval begins with the first message that finds nothing waiting; its end is posted on
    /// a thread of the runtime's pool.
    ///
    /// ```swift
    /// let changes = center.coalesced(ItemChanged.self, by: \.id, after: .milliseconds(50))
    /// changes.post(ItemChanged(id: 7))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - key: What messages have in common that become one; called without a lock, perhaps more
    ///     than once for a message. A constant makes one post of everything.
    ///   - interval: How long messages are gathered; zero ends with the poster's next breath: as
    ///     soon as a thread of the pool is free.
    ///   - clock: Whose time that is.
    /// - Returns: What to post with; each coalescer gathers for itself.
    /// - Precondition: `interval` is not negative.
    public func coalesced<M: Message, Key: Hashable & Sendable>(
        _ type: M.Type,
        by key: @escaping @Sendable (M) -> Key,
        after interval: Duration,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Coalescer<M> {
        Coalescer(self, by: key, after: interval, on: Timeline(clock))
    }

    /// Returns a coalescer that posts messages of a type on the main actor, one for each key and
    /// turn.
    ///
    /// Everything posted in one turn of the main actor, which is one event or one piece of a task
    /// between two suspensions, becomes one post in a later turn, behind what waits for the main
    /// actor then. From other threads it gathers until that turn comes.
    ///
    /// ```swift
    /// let changes = center.coalesced(ItemChanged.self, by: \.id, on: .main)
    /// for item in selection { changes.post(ItemChanged(id: item.id)) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - key: What messages have in common that become one; called without a lock, perhaps more
    ///     than once for a message. A constant makes one post of everything.
    ///   - isolation: `.main`.
    /// - Returns: What to post with; each coalescer gathers for itself.
    public func coalesced<M: Message, Key: Hashable & Sendable>(
        _ type: M.Type,
        by key: @escaping @Sendable (M) -> Key,
        on isolation: MainIsolation
    ) -> Coalescer<M> {
        Coalescer(self, by: key, after: .zero, on: .mainTurn)
    }
}
