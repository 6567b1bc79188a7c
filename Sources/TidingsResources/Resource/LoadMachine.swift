// SPDX-License-Identifier: Apache-2.0

/// The load of a resource, the requesters and the decisions on answers, as a value.
///
/// The machine holds no data and only returns the action for the data.
struct LoadMachine: Sendable {
    /// A point in time, identified by the number of earlier events.
    struct Stamp: Hashable, Sendable {
        /// The number of writes that made earlier requests' answers outdated.
        var writes = 0
        /// The number of invalidations of the data.
        var invalidations = 0
    }

    /// The state to return to when a load ends without an answer.
    enum Rest: Sendable {
        case unknown
        case loaded
        case error(any Error)
    }

    /// A load, from the first attempt to the last.
    struct Load: Sendable {
        /// The number of the load, unique among the loads of this resource.
        let number: Int
        /// Whether the resource itself requested the load, and not only waiters.
        var isOwn: Bool
        /// Whether the load must ask the source even with a fresh copy.
        var isForced = false
        var waiters: Set<Int> = []
        /// The number of the current or next attempt, 1 for the first.
        var attempt = 1
        /// The moment at which the attempt started.
        var stamp: Stamp
        /// Whether the answer of this attempt is outdated because the source has confirmed a write.
        var isOutdated = false
        var rest: Rest
        /// Whether the load exceeds the time limit.
        var isSlow = false

        fileprivate var isWanted: Bool { isOwn || !waiters.isEmpty }
    }

    /// The requester of a load.
    enum Requester: Sendable {
        case own
        /// The resource, unless a stored copy is fresh.
        case ownIfStale
        case waiter(Int)
    }

    /// The running load.
    var load: Load?
    private var lastNumber = 0

    /// Joins the running load, or starts a load.
    ///
    /// - Parameters:
    ///   - requester: The requester.
    ///   - stamp: The current stamp.
    ///   - rest: The state to return to if a new load ends without an answer.
    /// - Returns: The number of a new load, which the caller must start, or nil if a load is
    ///   already running.
    mutating func request(_ requester: Requester, at stamp: Stamp, rest: Rest) -> Int? {
        let isNew = load == nil
        var load = load ?? nextLoad(at: stamp, rest: rest)
        switch requester {
        case .own: (load.isOwn, load.isForced) = (true, true)
        case .ownIfStale: load.isOwn = true
        case .waiter(let waiter): load.waiters.insert(waiter)
        }
        self.load = load
        return isNew ? load.number : nil
    }

    private mutating func nextLoad(at stamp: Stamp, rest: Rest) -> Load {
        lastNumber += 1
        return Load(number: lastNumber, isOwn: false, stamp: stamp, rest: rest)
    }

    /// Removes a waiter, and ends and returns the load if no other requester is left.
    mutating func leave(_ waiter: Int) -> Load? {
        guard load?.waiters.remove(waiter) != nil else { return nil }
        return endIfUnwanted()
    }

    /// Removes the resource as a requester, because all observers of the resource have left.
    mutating func disown() -> Load? {
        load?.isOwn = false
        return endIfUnwanted()
    }

    /// Marks the answer of the load as outdated, so that the load is repeated.
    mutating func outdate() {
        load?.isOutdated = true
    }

    /// Marks a load as slow, or returns false if the load was already marked or has ended.
    mutating func markSlow(_ number: Int) -> Bool {
        guard load?.number == number, load?.isSlow == false else { return false }
        load?.isSlow = true
        return true
    }

    /// Ends the load, even with remaining requesters.
    mutating func end() -> Load? {
        load.take()
    }

    private mutating func endIfUnwanted() -> Load? {
        guard let load, !load.isWanted else { return nil }
        return self.load.take()
    }
}
