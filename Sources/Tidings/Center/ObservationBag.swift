// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Keeps tokens, and ends all their observations when it is dropped.
///
/// The tokens of observations that end by themselves are let go now and then as others are stored.
///
/// ```swift
/// let bag = ObservationBag()
/// center.observe(LoggedIn.self) { print($0.name) }.store(in: bag)
/// center.observe(LoggedOut.self) { _ in print("bye") }.store(in: bag)
/// bag.cancelAll()
/// ```
public final class ObservationBag: Sendable {
    private struct Contents {
        var tokens: [ObservationToken] = []
        /// When to look for those whose observation has ended.
        var limit = 16
    }

    private let contents = Lock(Contents())

    /// Creates an empty bag.
    public init() {}

    // A token bound to an owner does not end its observation by being dropped.
    deinit { cancelAll() }

    /// Ends every observation in the bag, in the order in which they were stored, and empties it.
    public func cancelAll() {
        let ending = contents.withLock { $0.tokens }
        for token in ending { token.cancel() }
        // They stay until they have ended: who calls this on another thread meanwhile ends them
        // too, and does not return before.
        let ended = Set(ending.map(ObjectIdentifier.init))
        contents.withLock { $0.tokens.removeAll { ended.contains(ObjectIdentifier($0)) } }
        withExtendedLifetime(ending) {}
    }

    fileprivate func insert(_ token: ObservationToken) {
        let isFull = contents.withLock { contents in
            contents.tokens.append(token)
            return contents.tokens.count >= contents.limit
        }
        if isFull { dropEnded() }
    }

    /// Drops the tokens of observations that have ended by themselves, with their first call or
    /// with their center, each time the bag has grown to twice what is left then.
    private func dropEnded() {
        let ended = contents.withLock { contents in
            let ended = contents.tokens.filter(\.hasEnded)
            if !ended.isEmpty { contents.tokens.removeAll(where: \.hasEnded) }
            contents.limit = max(16, contents.tokens.count * 2)
            return ended
        }
        // Released here: it may be anybody's deinit.
        withExtendedLifetime(ended) {}
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
