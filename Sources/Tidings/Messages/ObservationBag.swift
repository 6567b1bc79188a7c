// SPDX-License-Identifier: Apache-2.0

/// Keeps tokens, and ends all their observations when it is dropped.
///
/// ```swift
/// let bag = ObservationBag()
/// center.observe(LoggedIn.self) { print($0.name) }.store(in: bag)
/// center.observe(LoggedOut.self) { _ in print("bye") }.store(in: bag)
/// bag.cancelAll()
/// ```
public final class ObservationBag: Sendable {
    private let tokens = Lock<[ObservationToken]>([])

    /// Creates an empty bag.
    public init() {}

    // A token bound to an owner does not end its observation by being dropped.
    deinit { cancelAll() }

    /// Ends every observation in the bag, in the order in which they were stored, and empties it.
    public func cancelAll() {
        let ending = tokens.withLock { $0 }
        for token in ending { token.cancel() }
        // They stay until they have ended: who calls this on another thread meanwhile ends them
        // too, and does not return before.
        let ended = Set(ending.map(ObjectIdentifier.init))
        tokens.withLock { tokens in tokens.removeAll { ended.contains(ObjectIdentifier($0)) } }
        withExtendedLifetime(ending) {}
    }

    fileprivate func insert(_ token: ObservationToken) {
        tokens.withLock { $0.append(token) }
    }
}

extension ObservationToken {
    /// Hands the token to a bag that keeps it.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self) { print($0.name) }.store(in: bag)
    /// ```
    public func store(in bag: ObservationBag) {
        bag.insert(self)
    }
}
