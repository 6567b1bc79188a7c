// SPDX-License-Identifier: Apache-2.0

/// Owns a ``LoadState``, and delivers the state and every change to observers.
///
/// Each observer receives the current state once when the observation starts, then every change in
/// order. A change made inside an observer is immediately visible to readers and is delivered after
/// the current round. While one thread delivers, other threads add changes to the rounds of that
/// thread and return. No lock is held while an observer runs.
///
/// ```swift
/// let products = StatePublisher<[Product]>()
/// products.observe(owner: self, on: .main) { screen, state in screen.show(state) }
/// products.startLoading()
/// products.updateData(try await shop.products())
/// ```
public final class StatePublisher<Value: Sendable>: Sendable {
    @usableFromInline let delivery = StateDelivery()
    @usableFromInline let cell: StateCell<Value>
    /// Returns the time by the clock that measures the age of the data.
    @usableFromInline package let now: @Sendable () -> Duration
    /// The publisher from which this publisher is derived.
    ///
    /// The source keeps this publisher alive while this publisher is observed.
    private weak let source: (any DerivationSource)?

    /// Creates a publisher whose state is `unknown`, or `loaded` with initial data.
    ///
    /// ```swift
    /// let products = StatePublisher<[Product]>()
    /// let settings = StatePublisher(Settings())
    /// ```
    ///
    /// - Parameters:
    ///   - data: The initial data, whose age starts now. The default is none.
    ///   - staleAfter: The age at which data counts as stale. By default, age does not matter.
    ///   - clock: The clock that measures the age.
    public convenience init(
        _ data: Value? = nil,
        staleAfter: Duration? = nil,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.init(staleAfter: staleAfter, clock: clock, source: nil)
        if let data { updateData(data) }
    }

    init(
        staleAfter: Duration?,
        clock: some Clock<Duration>,
        source: (any DerivationSource)?
    ) {
        now = clock.elapsed()
        cell = StateCell(StateMemory(staleAfter: staleAfter))
        self.source = source
    }

    /// Returns the object that keeps this publisher alive for one observation, or nil for a
    /// publisher that is not derived.
    func hold() -> DerivedHold? {
        source.map { DerivedHold(self, by: $0.delivery) }
    }

    /// The current state.
    public var state: LoadState<Value> {
        delivery.bridge.access()
        return withMemory { $0.state }
    }

    /// The newest data since the last reset, also while loading and after an error.
    public var lastData: Value? {
        delivery.bridge.access()
        return withMemory { $0.lastData }
    }

    /// The age at which data counts as stale, or nil if age does not matter.
    public var staleAfter: Duration? {
        get { withMemory { $0.staleAfter } }
        set { withMemory { $0.staleAfter = newValue } }
    }

    /// Whether the data should be loaded again: unknown, failed, invalidated or too old.
    ///
    /// The value is false while a load is running. Swift's Observation notifies readers when a
    /// change or an invalidation changes this value, but not when data becomes too old.
    public var isStale: Bool {
        if let source { return source.isStale }
        delivery.bridge.access()
        let now = now()
        return withMemory { $0.isStale(at: now) }
    }

    /// Whether the running load was marked as slow.
    package var isMarkedSlow: Bool {
        if let source { return source.isMarkedSlow }
        delivery.bridge.access()
        return withMemory { $0.isSlow }
    }

    /// Sets the state to loading, and keeps the previous data with the state.
    @inlinable
    public func startLoading() {
        change { $0.startLoading() }
    }

    /// Sets the loaded data.
    @inlinable
    public func updateData(_ data: Value) {
        let now = now()
        change { $0.updateData(data, at: now) }
    }

    /// Sets the error of a failed load, while ``lastData`` keeps the previous data.
    @inlinable
    public func setError(_ error: any Error) {
        change { $0.setError(error) }
    }

    /// Returns to `unknown` and drops all data, as after a logout.
    @inlinable
    public func reset() {
        change { $0.reset() }
        delivery.noteOutdated()
    }

    /// Marks the data as stale.
    ///
    /// The state stays, but ``isStale`` becomes true.
    public func invalidate() {
        withMemory { $0.invalidate() }
        delivery.noteOutdated()
        delivery.bridge.changed()
    }

    /// Changes the data in place, without a load.
    ///
    /// The case of the state and the age of the data stay the same. With an error, only
    /// ``lastData`` changes. No other change is lost, because `body` runs again on the newer data
    /// if another change comes first.
    ///
    /// ```swift
    /// items.update { $0.removeAll { $0.id == id } }
    /// ```
    ///
    /// - Parameter body: Changes the data, but does not use this publisher. The closure may run
    ///   more than once, without a lock.
    /// - Returns: False without data to change.
    @discardableResult
    public func update(_ body: (inout Value) -> Void) -> Bool {
        while true {
            let (data, version) = withMemory { ($0.lastData, $0.version) }
            guard var data else { return false }
            body(&data)
            let changed = data
            if change({ $0.edit(changed, ifAt: version) }) { return true }
        }
    }

    /// Calls `body` under the lock, so `body` must not call the user's code.
    package func withMemory<Result: Sendable>(
        _ body: (inout StateMemory<Value>) -> Result
    ) -> Result {
        delivery.withLock { turns in cell.access(&turns, body) }
    }
}

/// A publisher from which other publishers are derived.
protocol DerivationSource: AnyObject, Sendable {
    var delivery: StateDelivery { get }
    var isStale: Bool { get }
    var isMarkedSlow: Bool { get }
}

extension StatePublisher: DerivationSource {}
