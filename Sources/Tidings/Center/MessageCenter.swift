// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Delivers each message to the observers of its type.
///
/// Handlers of one post run in priority order. Handlers of equal priority run in registration
/// order. Handlers run on the poster's thread before `post` returns, except that main-actor
/// handlers are queued if the post is made elsewhere. A post made inside a handler is delivered
/// after the current post. No lock is held while a handler runs. <doc:DeliveryRules> has the rules.
///
/// A center keeps its observations alive, but not itself. When the last reference to the center is
/// released, every observation ends and every sequence finishes after the buffered elements.
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
    /// Nil until the center is finished or a caller waits for its end.
    let finishing = Lock<DrainGroup?>(nil)
    /// The observers of all messages.
    let wildcards = Channel()
    /// The observers of all messages that are posted by name.
    let untyped = Channel()
    /// The interceptors, which are called before a message is addressed.
    let interceptors = Channel()
    /// The hooks that are called with errors of handlers.
    let errorHooks = Channel()
    /// The hooks that are called with messages that had no recipient.
    let unhandledHooks = Channel()
    let registered = RegisteredObservers()
    /// The number of observations of messages that conform to a type.
    let conformingObservers = Atomic(0)
    /// The interceptor that drops everything while the center is blocked.
    let blocking = Lock<ObservationToken?>(nil)
    let tracing: CenterTracing
    /// The number of this center, unique in the process and never reused.
    let number: UInt64
    /// Incremented when names are removed, under the lock of the registry: see ``NameCache``.
    let nameVersion = Atomic(0)

    private static let lastNumber = Atomic<UInt64>(0)

    /// Creates a center without observers.
    public convenience init() {
        self.init(tracedBy: ContinuousClock())
    }

    /// Creates a center without observers that measures its handlers with a clock.
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
    /// The count includes observations of all messages and of the type's name. Each owner is
    /// checked, so the cost grows with the number of observations.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: The object that the message would be about, by default none. Observers of
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

    /// Returns whether a post of this type would address an observation now.
    ///
    /// ```swift
    /// if center.hasObservers(of: ThumbnailReady.self) { makeThumbnail() }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: The object that the message would be about, by default none.
    /// - Returns: Whether ``count(of:about:)`` is more than 0.
    public func hasObservers<M: Message>(
        of type: M.Type,
        about subject: (any AnyObject & Sendable)? = nil
    ) -> Bool {
        count(of: type, about: subject) > 0
    }

    /// Returns the channel of a type, without a lock if this thread used it recently.
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
            // The name is the user's code, so the name is read outside the lock.
            let form = NamedForm(type)
            channel = registry.withLock { $0.channel(of: id, form: form) }
        }
        return thread.state { $0.channels.insert(channel, of: id, in: number) }
    }
}
