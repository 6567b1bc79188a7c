// SPDX-License-Identifier: Apache-2.0

/// The newest received messages that the bridges of one center have posted on this center.
///
/// Another bridge may acknowledge a message only when the message is done. Otherwise a message in
/// work would be lost with the process.
struct Claims {
    /// The answer to a claim.
    enum Outcome: Hashable {
        /// The bridge handles the message.
        case granted
        /// Another bridge is handling the message.
        case inWork
        /// Another bridge has handled the message, or keeps the message until that happens.
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

    /// Forgets the older half, except messages in work.
    private mutating func removeOldest() {
        let kept = order.prefix(limit / 2).filter { claims[$0]?.isDone == false }
        for old in order.prefix(limit / 2) where claims[old]?.isDone == true { claims[old] = nil }
        order = kept + order.dropFirst(limit / 2)
    }

    /// Keeps an action until the message is done or released.
    ///
    /// - Returns: False if the message is not in work.
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
        // The id is nearly always among the last. Otherwise, the id counts until `removeOldest`.
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
