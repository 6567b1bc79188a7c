// SPDX-License-Identifier: Apache-2.0
import Tidings

extension StateMemory {
    /// The current stamp, which a load compares with an earlier stamp from the start of the load.
    var stamp: LoadMachine.Stamp {
        LoadMachine.Stamp(writes: writes, invalidations: invalidations)
    }

    /// The state to return to if a load that starts now ends without an answer.
    var rest: LoadMachine.Rest {
        switch state {
        case .unknown, .loading: .unknown
        case .loaded: .loaded
        case .error(let error): .error(error)
        }
    }

    /// Marks the running load as slow, or returns nil without a running load.
    mutating func markSlow() -> Replaced? {
        guard state.isLoading else { return nil }
        isMarkedSlow = true
        return apply(state)
    }

    /// Ends a load without an answer, and keeps the data and the age.
    mutating func end(at rest: LoadMachine.Rest) -> Replaced? {
        guard case .loading = state else { return nil }
        if case .error(let error) = rest { return apply(.error(error), keeping: lastData) }
        return apply(lastData.map { .loaded($0) } ?? .unknown)
    }

    /// Shows a stored copy while the load is running that may return newer data.
    ///
    /// - Parameters:
    ///   - data: The data of the copy.
    ///   - loadedAt: The time of the copy's load, or nil if unknown, in which case the data is
    ///     stale.
    /// - Returns: The replaced values, or nil if there is data already.
    mutating func offerStored(_ data: Value, loadedAt: Duration?) -> Replaced? {
        guard case .loading = state, lastData == nil else { return nil }
        self.loadedAt = loadedAt
        // Data that was invalidated before stays invalid, because the copy is not newer than the
        // invalidation.
        if loadedAt == nil { isInvalidated = true }
        return apply(.loading(data))
    }

    /// Returns the age of valid data, or nil without valid data.
    func age(at now: Duration) -> Duration? {
        isInvalidated ? nil : loadedAt.map { now - $0 }
    }

    /// Returns whether the data is younger than the limit, which is false without a limit.
    func isFresh(at now: Duration) -> Bool {
        guard let staleAfter, let age = age(at: now) else { return false }
        return age < staleAfter
    }

    /// Drops unused data, but an invalidation stays in effect for a stored copy.
    mutating func forget() -> Replaced {
        let wasInvalidated = isInvalidated
        let replaced = reset()
        isInvalidated = wasInvalidated
        return replaced
    }
}
