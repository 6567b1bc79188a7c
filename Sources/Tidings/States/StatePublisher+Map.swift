// SPDX-License-Identifier: Apache-2.0

extension StatePublisher {
    /// Returns a publisher of transformed data, which follows this publisher.
    ///
    /// The derived publisher has the case of this publisher at each change, the transformed data
    /// and the same errors, and also takes ``isStale`` from this publisher. Change this publisher,
    /// not the derived one.
    ///
    /// This publisher keeps a derived publisher alive while the derived publisher has observers, so
    /// an observation needs no separate reference. The derived publisher does not keep this
    /// publisher alive, and keeps the last state after this publisher was deallocated.
    ///
    /// ```swift
    /// settings.map(\.volume).observe(owner: self, on: .main) { player, state in
    ///     player.volume = state.value ?? 0
    /// }
    /// ```
    ///
    /// - Parameter transform: Returns the data of the derived publisher. Called for each state that
    ///   carries data, on the thread that changes the state, without a lock.
    /// - Returns: The derived publisher.
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Result
    ) -> StatePublisher<Result> {
        let derived = StatePublisher<Result>(
            staleAfter: nil,
            clock: ContinuousClock(),
            source: self
        )
        // An error carries no data, but the derived publisher still receives the previous data.
        if let data = withMemory({ $0.lastData }) { derived.updateData(transform(data)) }
        observe(owner: derived) { $0.follow($1.map(transform)) }
        return derived
    }

    private func follow(_ state: LoadState<Value>) {
        let now = now()
        change { memory in
            switch state {
            case .unknown: memory.reset()
            case .loading: memory.apply(state)
            case .loaded(let data): memory.updateData(data, at: now)
            case .error(let error): memory.setError(error)
            }
        }
    }
}

/// Keeps a derived publisher alive for one observation.
///
/// The source refers to the derived publisher, and not the observation. A publisher that was kept
/// alive by observations of itself would outlive an owner that dies when nothing changes any more.
final class DerivedHold: Sendable {
    private weak let source: StateDelivery?

    init(_ derived: any AnyObject & Sendable, by source: StateDelivery) {
        self.source = source
        source.hold(derived, for: ObjectIdentifier(self))
    }

    /// Releases the derived publisher, and has no effect the second time.
    func release() {
        source?.release(ObjectIdentifier(self))
    }

    deinit { release() }
}
