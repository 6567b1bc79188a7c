// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// The state, its data and who must still be told, as a value.
    struct Store: Sendable {
        /// One change on its way to those who observed when it was made.
        struct Round: Sendable {
            let state: LoadState<Value>
            let observers: ContiguousArray<StateObserver<Value>>
        }

        /// What a change did, and what it replaced: released by the caller, outside the lock.
        struct Outcome: Sendable {
            var isApplied = true
            var replaced: (LoadState<Value>, Value?)?
        }

        private(set) var state = LoadState<Value>.unknown
        private(set) var lastData: Value?
        /// Grows with every change.
        private(set) var version = 0
        var staleAfter: Duration?
        private var loadedAt: Duration?
        private var isInvalidated = false
        private(set) var observers: ContiguousArray<StateObserver<Value>> = []
        private var rounds = Fifo<Round>()
        private var isDelivering = false

        init(staleAfter: Duration?) {
            self.staleAfter = staleAfter
        }

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

        mutating func startLoading() -> Outcome {
            apply(.loading(lastData), lastData)
        }

        mutating func updateData(_ data: Value, at now: Duration) -> Outcome {
            loadedAt = now
            isInvalidated = false
            return apply(.loaded(data), data)
        }

        mutating func setError(_ error: any Error) -> Outcome {
            apply(.error(error), lastData)
        }

        mutating func reset() -> Outcome {
            loadedAt = nil
            isInvalidated = false
            return apply(.unknown, nil)
        }

        mutating func invalidate() {
            isInvalidated = true
        }

        /// Replaces the data if nothing has changed since `version`.
        mutating func edit(_ data: Value, ifAt version: Int) -> Outcome {
            guard version == self.version else { return Outcome(isApplied: false) }
            switch state {
            case .unknown, .loaded: return apply(.loaded(data), data)
            case .loading: return apply(.loading(data), data)
            case .error: return apply(state, data)
            }
        }

        private mutating func apply(_ state: LoadState<Value>, _ lastData: Value?) -> Outcome {
            let replaced = (self.state, self.lastData)
            self.state = state
            self.lastData = lastData
            version += 1
            if !observers.isEmpty { rounds.append(Round(state: state, observers: observers)) }
            return Outcome(replaced: replaced)
        }
    }
}

extension StatePublisher.Store {
    /// Adds an observer and returns the state it must be told first; nil if it is there already.
    mutating func insert(
        _ observer: StateObserver<Value>,
        for subscriber: AnyObject?
    ) -> LoadState<Value>? {
        if let subscriber, observers.contains(where: { $0.isSubscription(of: subscriber) }) {
            return nil
        }
        observers.append(observer)
        return state
    }

    /// Takes an observer out; the caller drops it after it has left the lock.
    mutating func remove(
        where isWanted: (StateObserver<Value>) -> Bool
    ) -> StateObserver<Value>? {
        observers.firstIndex(where: isWanted).map { observers.remove(at: $0) }
    }

    /// Those whose owner may have died.
    var mortalObservers: ContiguousArray<StateObserver<Value>> {
        observers.filter(\.registration.traits.isMortal)
    }

    /// Makes the caller the one who delivers, unless somebody is or there is nothing to do.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, !rounds.isEmpty else { return false }
        isDelivering = true
        return true
    }

    /// The next round for the one who delivers; nil ends the delivery.
    mutating func popRound() -> Round? {
        let round = rounds.popFirst()
        isDelivering = round != nil
        return round
    }
}
