// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Carries messages from who posts them to who observes their type.
///
/// Handlers of one post run in priority order and, within a priority, in the order in which they
/// were registered. They run on the poster's thread before `post` returns, except main-actor
/// handlers of a post made elsewhere, which are queued. A post made inside a handler is delivered
/// after the current one. No lock is held while a handler runs. <doc:DeliveryRules> has the rules.
///
/// A center keeps its observations, not itself: when its last reference goes, every observation
/// ends and every sequence finishes after what it has buffered.
///
/// ```swift
/// struct LoggedIn: Message { let name: String }
///
/// let center = MessageCenter()
/// let token = center.observe(LoggedIn.self) { print("hello, \($0.name)") }
/// center.post(LoggedIn(name: "Ada"))
/// token.cancel()
/// ```
public final class MessageCenter: Sendable {
    let registry = Lock(Registry())
    let hooks = Lock(Hooks())
    let mainQueue = MainQueue()
    let registered = RegisteredObservers()
    let tracing: CenterTracing
    /// Unique in the process, never used again.
    private let number: UInt64

    private static let lastNumber = Atomic<UInt64>(0)

    /// Creates a center that nobody observes.
    public convenience init() {
        self.init(tracedBy: ContinuousClock())
    }

    /// Creates a center that nobody observes, and that measures its handlers with a clock.
    package init(tracedBy clock: some Clock<Duration>) {
        tracing = CenterTracing(clock: clock)
        number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The center shared by the whole program.
    ///
    /// Libraries and tests take a center as a parameter instead.
    public static let `default` = MessageCenter()

    /// Returns how many observations a post of this type would address now.
    ///
    /// Looks at each owner, so it costs as much as there are observations.
    public func count<M: Message>(of type: M.Type) -> Int {
        channel(of: ObjectIdentifier(type), on: .current).use { channel in
            channel.sweep()
            return channel.snapshot().countLiving()
        }
    }

    /// Returns whether a post of this type would address anybody now.
    ///
    /// ```swift
    /// if center.hasObservers(of: ThumbnailReady.self) { makeThumbnail() }
    /// ```
    public func hasObservers<M: Message>(of type: M.Type) -> Bool {
        count(of: type) > 0
    }

    /// The channel of a type; a thread finds one that it used lately without a lock.
    @inline(__always)
    func channel(of type: ObjectIdentifier, on thread: DeliveryThread) -> BorrowedChannel {
        if let channel = thread.state({ $0.channels.channel(of: type, in: number) }) {
            return channel
        }
        return findChannel(of: type, for: thread)
    }

    @inline(never)
    private func findChannel(
        of type: ObjectIdentifier,
        for thread: DeliveryThread
    ) -> BorrowedChannel {
        let channel = registry.withLock { $0.channel(of: type) }
        return thread.state { $0.channels.insert(channel, of: type, in: number) }
    }
}
