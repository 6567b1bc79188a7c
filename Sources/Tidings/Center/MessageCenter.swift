// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Delivers each message to the observers of its type.
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
    let registry: Lock<Registry>
    let mainQueue = MainQueue()
    let inProgress = DeliveriesInProgress()
    /// Nil until somebody finishes the center or waits for its end.
    let finishing = Lock<DrainGroup?>(nil)
    /// Those who receive every message.
    let wildcards = Channel()
    /// Those who receive every message that is posted by name.
    let untyped = Channel()
    /// Those who see messages before anybody is addressed.
    let interceptors = Channel()
    /// Those who are called with errors of handlers.
    let errorHooks = Channel()
    /// Those who are called with messages that had no recipient.
    let unhandledHooks = Channel()
    let registered = RegisteredObservers()
    /// How many observe messages that conform to something.
    let conformingObservers = Atomic(0)
    /// The interceptor that drops everything while the center is blocked.
    let blocking = Lock<ObservationToken?>(nil)
    let tracing: CenterTracing
    /// Unique in the process, never used again.
    let number: UInt64
    /// Grows when names are forgotten, under the lock of the registry: see ``NameCache``.
    let nameVersion = Atomic(0)

    private static let lastNumber = Atomic<UInt64>(0)

    /// Creates a center without observers.
    public convenience init() {
        self.init(tracedBy: ContinuousClock())
    }

    /// Creates a center that nobody observes, and that measures its handlers with a clock.
    package init(tracedBy clock: some Clock<Duration>) {
        tracing = CenterTracing(clock: clock)
        number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        registry = Lock(Registry(untyped: untyped))
    }

    /// The center shared by the whole program.
    ///
    /// Libraries and tests take a center as a parameter instead.
    public static let `default` = MessageCenter()

    /// Returns how many observations a post of this type would address now.
    ///
    /// Those of all messages and those of its name are among them. Looks at each owner, so it costs
    /// as much as there are observations.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: What the message would be about; nothing, unless stated. Those who observe
    ///     messages about another object are not counted.
    /// - Returns: The number that such a post would return.
    public func count<M: Message>(
        of type: M.Type,
        about subject: (any AnyObject & Sendable)? = nil
    ) -> Int {
        channel(of: type, on: .current).use { channel in
            let observers = channel === untyped ? nil : channel.name.flatMap(observers(named:))
            return countLiving(in: [channel, observers, wildcards]) {
                $0.isFor(subject)
            }
        }
    }

    /// Returns whether a post of this type would address anybody now.
    ///
    /// ```swift
    /// if center.hasObservers(of: ThumbnailReady.self) { makeThumbnail() }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: What the message would be about; nothing, unless stated.
    /// - Returns: Whether ``count(of:about:)`` is more than 0.
    public func hasObservers<M: Message>(
        of type: M.Type,
        about subject: (any AnyObject & Sendable)? = nil
    ) -> Bool {
        count(of: type, about: subject) > 0
    }

    /// The channel of a type; a thread finds one that it used lately without a lock.
    @inline(__always)
    func channel(of type: any Message.Type, on thread: DeliveryThread) -> BorrowedChannel {
        let id = ObjectIdentifier(type)
        if let channel = thread.state({ $0.channels.channel(of: id, in: number) }) {
            return channel
        }
        return findChannel(of: type, for: thread)
    }

    @inline(never)
    private func findChannel(
        of type: any Message.Type,
        for thread: DeliveryThread
    ) -> BorrowedChannel {
        let id = ObjectIdentifier(type)
        let channel: Channel
        if let found = registry.withLock({ $0.channels[id] }) {
            channel = found
        } else {
            // The name is the user's code: asked outside the lock.
            let form = NamedForm(type)
            channel = registry.withLock { $0.channel(of: id, form: form) }
        }
        return thread.state { $0.channels.insert(channel, of: id, in: number) }
    }
}
