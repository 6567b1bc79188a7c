// SPDX-License-Identifier: Apache-2.0

extension StateMemory {
    /// The present, as a load compares it with its beginning.
    var stamp: LoadMachine.Stamp {
        LoadMachine.Stamp(writes: writes, invalidations: invalidations)
    }

    /// What the state returns to if a load that begins now brings nothing.
    var rest: LoadMachine.Rest {
        switch state {
        case .unknown, .loading: .unknown
        case .loaded: .loaded
        case .error(let error): .error(error)
        }
    }

    /// Whether a load runs that was said to be slow.
    var isSlow: Bool { state.isLoading && isMarkedSlow }

    /// Says that the load that runs is slow; nil if none does.
    mutating func markSlow() -> Replaced? {
        guard state.isLoading else { return nil }
        isMarkedSlow = true
        return apply(state)
    }

    /// Ends a load that brought nothing: the data stays, and so does its age.
    mutating func end(at rest: LoadMachine.Rest) -> Replaced? {
        guard case .loading = state else { return nil }
        if case .error(let error) = rest { return apply(.error(error), keeping: lastData) }
        return apply(lastData.map { .loaded($0) } ?? .unknown)
    }

    /// Shows a stored copy while the load runs that may bring something newer.
    ///
    /// - Parameters:
    ///   - data: The copy's.
    ///   - loadedAt: When that was loaded; nil if nobody knows, and then it is stale.
    /// - Returns: What was replaced; nil if there is data already.
    mutating func offerStored(_ data: Value, loadedAt: Duration?) -> Replaced? {
        guard case .loading = state, lastData == nil else { return nil }
        self.loadedAt = loadedAt
        // What was invalidated before stays so: the copy is no newer than that.
        if loadedAt == nil { isInvalidated = true }
        return apply(.loading(data))
    }

    /// The age of data that is not invalid; nil if there is none.
    func age(at now: Duration) -> Duration? {
        isInvalidated ? nil : loadedAt.map { now - $0 }
    }

    /// Whether the data is younger than the limit; false without a limit.
    func isFresh(at now: Duration) -> Bool {
        guard let staleAfter, let age = age(at: now) else { return false }
        return age < staleAfter
    }

    /// Drops the data because nobody uses it; what was invalidated stays so for a stored copy.
    mutating func forget() -> Replaced {
        let wasInvalidated = isInvalidated
        let replaced = reset()
        isInvalidated = wasInvalidated
        return replaced
    }
}
