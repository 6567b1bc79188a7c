// SPDX-License-Identifier: Apache-2.0

/// The state, the data and the changes that were not delivered yet, as a value.
@usableFromInline
package struct StateMemory<Value: Sendable>: Sendable {
    /// One change with the observers to call, as registered at the time of the change.
    @usableFromInline
    struct Round: Sendable {
        let state: LoadState<Value>
        let observers: SubscriberSnapshot
        /// An action to run at this position among the rounds, instead of calling observers.
        var action: (@Sendable () -> Void)?
    }

    /// The values that a change replaced.
    ///
    /// The caller releases these values outside the lock.
    @usableFromInline
    package struct Replaced: Sendable {
        let state: LoadState<Value>
        let data: Value?

        @usableFromInline
        init(_ state: LoadState<Value>, _ data: Value?) {
            self.state = state
            self.data = data
        }
    }

    /// The current state.
    @usableFromInline package var state = LoadState<Value>.unknown
    /// The data from before an error.
    ///
    /// All other states carry data of their own.
    @usableFromInline var keptData: Value?
    /// Incremented with every change.
    @usableFromInline package var version = 0
    /// Incremented with every change of data or error that makes the answers of earlier requests
    /// outdated.
    @usableFromInline package var writes = 0
    /// The number of invalidations.
    @usableFromInline package var invalidations = 0
    /// The number of resets.
    @usableFromInline package var resets = 0
    /// Incremented with every change of the data.
    @usableFromInline package var edits = 0
    @usableFromInline package var loadedAt: Duration?
    @usableFromInline package var isInvalidated = false
    /// Whether the load since the last `startLoading` was marked as slow.
    @usableFromInline package var isMarkedSlow = false
    @usableFromInline package var staleAfter: Duration?
    private var rounds = Fifo<Round>()

    init(staleAfter: Duration?) {
        self.staleAfter = staleAfter
    }

    /// The newest data since the last reset.
    @inlinable package var lastData: Value? { state.value ?? keptData }

    /// Returns whether the data should be loaded again.
    package func isStale(at now: Duration) -> Bool {
        switch state {
        case .unknown, .error: return true
        case .loading: return false
        case .loaded:
            if isInvalidated { return true }
            guard let staleAfter, let loadedAt else { return false }
            return now - loadedAt >= staleAfter
        }
    }

    /// Whether the running load was marked as slow.
    var isSlow: Bool { state.isLoading && isMarkedSlow }

    /// Starts a load, and keeps the data with the state.
    @inlinable
    package mutating func startLoading() -> Replaced {
        isMarkedSlow = false
        return apply(.loading(lastData))
    }

    /// Sets loaded data, whose age starts now.
    @inlinable
    package mutating func updateData(_ data: Value, at now: Duration) -> Replaced {
        loadedAt = now
        isInvalidated = false
        edits &+= 1
        writes &+= 1
        return apply(.loaded(data))
    }

    /// Sets the error of a failed load, and keeps the data.
    @inlinable
    package mutating func setError(_ error: any Error) -> Replaced {
        writes &+= 1
        return apply(.error(error), keeping: lastData)
    }

    /// Drops the data and the data's age.
    @inlinable
    package mutating func reset() -> Replaced {
        edits &+= 1
        writes &+= 1
        resets &+= 1
        loadedAt = nil
        isInvalidated = false
        return apply(.unknown)
    }

    mutating func invalidate() {
        invalidations &+= 1
        isInvalidated = true
    }

    /// Replaces the data if nothing has changed since `version`, and otherwise returns nil.
    @inlinable
    package mutating func edit(_ data: Value, ifAt version: Int) -> Replaced? {
        guard version == self.version else { return nil }
        edits &+= 1
        writes &+= 1
        switch state {
        case .unknown, .loaded: return apply(.loaded(data))
        case .loading: return apply(.loading(data))
        case .error: return apply(state, keeping: data)
        }
    }

    /// Sets a state, with the data that an error keeps.
    @inlinable
    package mutating func apply(_ state: LoadState<Value>, keeping data: Value? = nil) -> Replaced {
        let replaced = Replaced(self.state, keptData)
        self.state = state
        keptData = data
        version &+= 1
        return replaced
    }

    /// Queues a round for the last change, for the thread that delivers.
    ///
    /// - Parameters:
    ///   - observers: The observers to call.
    ///   - isLatest: Whether this round replaces the last pending round.
    /// - Returns: The replaced round, to be released outside the lock.
    @usableFromInline
    mutating func queueRound(
        for observers: SubscriberSnapshot,
        replacingLast isLatest: Bool
    ) -> Round? {
        let round = Round(state: state, observers: observers)
        if isLatest, let last = rounds.last, last.action == nil {
            return rounds.replaceLast(with: round)
        }
        rounds.append(round)
        return nil
    }

    /// Queues an action after the pending rounds.
    mutating func queueAction(
        _ action: @escaping @Sendable () -> Void,
        _ nobody: SubscriberSnapshot
    ) {
        rounds.append(Round(state: .unknown, observers: nobody, action: action))
    }

    var waitingRounds: Int { rounds.count }

    /// Removes and returns the next round for the delivering thread.
    mutating func popRound() -> Round? {
        rounds.popFirst()
    }
}
