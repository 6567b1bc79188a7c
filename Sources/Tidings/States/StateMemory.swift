// SPDX-License-Identifier: Apache-2.0

/// The state, its data and the changes that nobody has told of yet, as a value.
@usableFromInline
struct StateMemory<Value: Sendable>: Sendable {
    /// One change on its way to those who observed when it was made.
    @usableFromInline
    struct Round: Sendable {
        let state: LoadState<Value>
        let observers: SubscriberSnapshot
        /// What is done in its place among the rounds, instead of telling anybody.
        var action: (@Sendable () -> Void)?
    }

    /// What a change replaced: released by the caller, outside the lock.
    @usableFromInline
    struct Replaced: Sendable {
        let state: LoadState<Value>
        let data: Value?

        @usableFromInline
        init(_ state: LoadState<Value>, _ data: Value?) {
            self.state = state
            self.data = data
        }
    }

    @usableFromInline var state = LoadState<Value>.unknown
    /// The data from before an error; every other state carries its own.
    @usableFromInline var keptData: Value?
    /// Grows with every change.
    @usableFromInline var version = 0
    /// Grows with every change that makes an answer outdated that was asked for before it: with all
    /// but the beginning and the end of a load.
    @usableFromInline var writes = 0
    /// How often the data was said to be out of date.
    @usableFromInline var invalidations = 0
    /// How often everything was dropped.
    @usableFromInline var resets = 0
    /// Grows with every change of the data.
    @usableFromInline var edits = 0
    @usableFromInline var loadedAt: Duration?
    @usableFromInline var isInvalidated = false
    /// Whether the load since the last `startLoading` was said to be slow.
    @usableFromInline var isMarkedSlow = false
    @usableFromInline var staleAfter: Duration?
    private var rounds = Fifo<Round>()

    init(staleAfter: Duration?) {
        self.staleAfter = staleAfter
    }

    /// The newest data there ever was since the last reset.
    @inlinable var lastData: Value? { state.value ?? keptData }

    func isStale(at now: Duration) -> Bool {
        switch state {
        case .unknown, .error: return true
        case .loading: return false
        case .loaded:
            if isInvalidated { return true }
            guard let staleAfter, let loadedAt else { return false }
            return now - loadedAt >= staleAfter
        }
    }

    @inlinable
    mutating func startLoading() -> Replaced {
        isMarkedSlow = false
        return apply(.loading(lastData))
    }

    @inlinable
    mutating func updateData(_ data: Value, at now: Duration) -> Replaced {
        loadedAt = now
        isInvalidated = false
        edits &+= 1
        writes &+= 1
        return apply(.loaded(data))
    }

    @inlinable
    mutating func setError(_ error: any Error) -> Replaced {
        writes &+= 1
        return apply(.error(error), keeping: lastData)
    }

    @inlinable
    mutating func reset() -> Replaced {
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

    /// Replaces the data if nothing has changed since `version`; nil if something has.
    @inlinable
    mutating func edit(_ data: Value, ifAt version: Int) -> Replaced? {
        guard version == self.version else { return nil }
        edits &+= 1
        writes &+= 1
        switch state {
        case .unknown, .loaded: return apply(.loaded(data))
        case .loading: return apply(.loading(data))
        case .error: return apply(state, keeping: data)
        }
    }

    @inlinable
    mutating func apply(_ state: LoadState<Value>, keeping data: Value? = nil) -> Replaced {
        let replaced = Replaced(self.state, keptData)
        self.state = state
        keptData = data
        version &+= 1
        return replaced
    }

    /// Keeps the change just made for whoever delivers.
    ///
    /// - Parameters:
    ///   - observers: Those who are to be told.
    ///   - isLatest: Whether the last one that waits is not needed any more.
    /// - Returns: The round that it replaced, to be released outside the lock.
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

    /// Keeps something to do after the rounds that wait.
    mutating func queueAction(
        _ action: @escaping @Sendable () -> Void,
        _ nobody: SubscriberSnapshot
    ) {
        rounds.append(Round(state: .unknown, observers: nobody, action: action))
    }

    var waitingRounds: Int { rounds.count }

    /// The next round for the one who delivers.
    mutating func popRound() -> Round? {
        rounds.popFirst()
    }
}
