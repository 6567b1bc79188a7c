// SPDX-License-Identifier: Apache-2.0

/// Whether a resource loads, for whom, and what becomes of an answer, as a value.
///
/// It knows no data: it says what is to be done with it.
struct LoadMachine: Sendable {
    /// A moment, told by what had happened until then.
    struct Stamp: Hashable, Sendable {
        /// How often something was written that makes an answer worth nothing which was asked for
        /// before.
        var writes = 0
        /// How often the data was said to be out of date.
        var invalidations = 0
    }

    /// What the state returns to when a load ends without an answer.
    enum Rest: Sendable {
        case unknown
        case loaded
        case error(any Error)
    }

    /// A load, from the first attempt to the last.
    struct Load: Sendable {
        /// Unlike that of any other load of this resource.
        let number: Int
        /// Whether the resource itself wants it, and not only those who wait.
        var isOwn: Bool
        /// Whether the resource wants what the source has now, even if there is a fresh copy.
        var isForced = false
        var waiters: Set<Int> = []
        /// The attempt that runs or comes next, 1 for the first.
        var attempt = 1
        /// When the attempt began.
        var stamp: Stamp
        /// Whether something else made what is loaded worth nothing since.
        var isOutdated = false
        var rest: Rest
        /// Whether it takes longer than it should.
        var isSlow = false

        fileprivate var isWanted: Bool { isOwn || !waiters.isEmpty }
    }

    /// Who wants a load.
    enum Requester: Sendable {
        case own
        /// The resource, unless a stored copy turns out to be fresh.
        case ownIfStale
        case waiter(Int)
    }

    /// The load that runs.
    var load: Load?
    private var lastNumber = 0

    /// Joins the load that runs, or begins one.
    ///
    /// - Parameters:
    ///   - requester: The caller.
    ///   - stamp: The present.
    ///   - rest: What the state is now.
    /// - Returns: The number of a load that the caller is to begin; nil if one runs.
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

    /// Forgets one who waited; returns the load if nobody wants it any more, which is its end.
    mutating func leave(_ waiter: Int) -> Load? {
        guard load?.waiters.remove(waiter) != nil else { return nil }
        return endIfUnwanted()
    }

    /// Forgets that the resource itself wants the load, for those who observed have left.
    mutating func disown() -> Load? {
        load?.isOwn = false
        return endIfUnwanted()
    }

    /// Makes what the load brings worth nothing; one more follows it.
    mutating func outdate() {
        load?.isOutdated = true
    }

    /// Says that a load takes longer than it should; true if that is news and the load still runs.
    mutating func markSlow(_ number: Int) -> Bool {
        guard load?.number == number, load?.isSlow == false else { return false }
        load?.isSlow = true
        return true
    }

    /// Ends the load, whoever wants it.
    mutating func end() -> Load? {
        load.take()
    }

    private mutating func endIfUnwanted() -> Load? {
        guard let load, !load.isWanted else { return nil }
        return self.load.take()
    }
}
