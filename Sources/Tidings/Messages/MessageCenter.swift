// SPDX-License-Identifier: Apache-2.0

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
    let mainQueue = MainQueue()

    /// Creates a center that nobody observes.
    public init() {}

    /// The center shared by the whole program.
    ///
    /// Libraries and tests take a center as a parameter instead.
    public static let `default` = MessageCenter()

    /// Returns how many observations a post of this type would address now.
    ///
    /// Looks at each owner, so it costs as much as there are observations.
    public func count<M: Message>(of type: M.Type) -> Int {
        let roster = registry.withLock { $0.roster(of: ObjectIdentifier(type)) } ?? Roster()
        let orphans = roster.orphans()
        sweep(orphans)
        return roster.count - orphans.count
    }

    /// Returns whether a post of this type would address anybody now.
    ///
    /// ```swift
    /// if center.hasObservers(of: ThumbnailReady.self) { makeThumbnail() }
    /// ```
    public func hasObservers<M: Message>(of type: M.Type) -> Bool {
        count(of: type) > 0
    }

    /// Ends observations whose owner has died.
    func sweep(_ orphans: [ObservationRecord]) {
        // The registry's reference leaves the lock with the result: what the handler captured is
        // released here, and a user's deinit may run.
        for orphan in orphans where orphan.end() { _ = registry.withLock { $0.remove(orphan) } }
    }
}

extension MessageCenter: RegistrationHome {
    func remove(_ record: ObservationRecord) {
        let (_, rest) = registry.withLock { ($0.remove(record), $0.roster(of: record.input)) }
        if let rest { sweep(rest.orphans()) }
    }
}
