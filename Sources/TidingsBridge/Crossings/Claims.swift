// SPDX-License-Identifier: Apache-2.0

/// The received messages that the bridges of one center have posted on it, the newest ones.
///
/// Only a message that is done may be acknowledged by another bridge: one that is in work is lost
/// with its process otherwise.
struct Claims {
    /// The answer to a claim.
    enum Outcome: Hashable {
        /// The bridge handles the message.
        case granted
        /// Another bridge is handling it.
        case inWork
        /// Another bridge has handled it, or keeps it until it is handled.
        case done
    }

    private struct Claim {
        let owner: String
        var isDone = false
        /// The actions that wait for the end of the work.
        var waiters: [@Sendable () -> Void] = []
    }

    private var claims: [String: Claim] = [:]
    private var order: [String] = []
    private let limit: Int

    init(limit: Int = 20_000) {
        self.limit = limit
    }

    mutating func insert(_ id: String, by owner: String) -> Outcome {
        if let claim = claims[id] {
            return claim.owner == owner ? .granted : claim.isDone ? .done : .inWork
        }
        claims[id] = Claim(owner: owner)
        order.append(id)
        if order.count > limit { removeOldest() }
        return .granted
    }

    /// Forgets the older half, but nothing that is in work.
    private mutating func removeOldest() {
        let kept = order.prefix(limit / 2).filter { claims[$0]?.isDone == false }
        for old in order.prefix(limit / 2) where claims[old]?.isDone == true { claims[old] = nil }
        order = kept + order.dropFirst(limit / 2)
    }

    /// Keeps an action until the message is done or released.
    ///
    /// - Returns: False if it is not in work.
    mutating func wait(for id: String, _ action: @escaping @Sendable () -> Void) -> Bool {
        guard claims[id]?.isDone == false else { return false }
        claims[id]?.waiters.append(action)
        return true
    }

    /// Returns the actions that have waited, to be called outside a lock.
    mutating func complete(_ id: String, by owner: String) -> [@Sendable () -> Void] {
        guard var claim = claims[id], claim.owner == owner else { return [] }
        let waiters = claim.waiters
        (claim.isDone, claim.waiters) = (true, [])
        claims[id] = claim
        return waiters
    }

    /// Whether an action waits for the end of the work.
    func isAwaited(_ id: String) -> Bool { claims[id]?.waiters.isEmpty == false }

    /// Gives up a message that is in work.
    ///
    /// - Returns: The actions that have waited, to be called outside a lock.
    mutating func release(_ id: String, by owner: String) -> [@Sendable () -> Void] {
        guard let claim = claims[id], claim.owner == owner, !claim.isDone else { return [] }
        claims[id] = nil
        // Nearly always one of the last; otherwise the place counts until it is an old one.
        if order.last == id { order.removeLast() }
        return claim.waiters
    }

    /// Returns the actions that have waited, to be called outside a lock.
    mutating func releaseWork(by owner: String) -> [@Sendable () -> Void] {
        let released = claims.filter { $0.value.owner == owner && !$0.value.isDone }
        for id in released.keys { claims[id] = nil }
        return released.values.flatMap(\.waiters)
    }
}
