// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Keeps tokens and ends all their observations when the bag is deallocated.
///
/// From time to time, storing another token releases the tokens of observations that have ended.
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
        /// The number of tokens at which the bag looks for ended observations.
        var limit = 16
    }

    private let contents = Lock(Contents())

    /// Creates an empty bag.
    public init() {}

    // Dropping a token that is bound to an owner does not end the observation.
    deinit { cancelAll() }

    /// Ends every observation in the order in which they were stored, and empties the bag.
    public func cancelAll() {
        let ending = contents.withLock { $0.tokens }
        for token in ending { token.cancel() }
        // The tokens stay in the bag until their observations have ended. A concurrent call on
        // another thread therefore ends the same observations and returns only after that.
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

    /// Drops the tokens of observations that have ended with their first call or with their center.
    ///
    /// The cleanup runs each time the bag has grown to twice the number of tokens that the last
    /// cleanup left.
    private func dropEnded() {
        let ended = contents.withLock { contents in
            let ended = contents.tokens.filter(\.hasEnded)
            if !ended.isEmpty { contents.tokens.removeAll(where: \.hasEnded) }
            contents.limit = max(16, contents.tokens.count * 2)
            return ended
        }
        // The tokens are released here, outside the lock, because this may run any `deinit`.
        withExtendedLifetime(ended) {}
    }
}

extension ObservationToken {
    /// Stores the token in a bag, which retains the token.
    ///
    /// ```swift
    /// center.observe(LoggedIn.self) { print($0.name) }.store(in: bag)
    /// ```
    public func store(in bag: ObservationBag) {
        bag.insert(self)
    }
}
