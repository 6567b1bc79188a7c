// SPDX-License-Identifier: Apache-2.0
public import Tidings
import TidingsLock

/// Loads data and shares the data with every observer.
///
/// A resource owns a publisher and a loader. All callers share one load and the outcome. A resource
/// drops an answer that is outdated because of a newer answer, a write, an invalidation or a reset.
/// A load that fails or is cancelled keeps the data. With a store, the first load shows the stored
/// copy, which stays if that load fails.
///
/// Every member may be called on any thread. The loader runs in a separate task, which the resource
/// cancels when neither a caller nor an observer needs the load. The resource calls observers in
/// the same way as any `StatePublisher`. A resource that is deallocated cancels its load.
///
/// ```swift
/// let lessons = Resource(
///     options: ResourceOptions(staleAfter: .seconds(300), retry: .backoff()),
///     store: JSONFileStore(at: file)
/// ) {
///     try await catalog.lessons()
/// }
/// lessons.publisher.observe(owner: self, on: .main) { screen, state in screen.show(state) }
/// lessons.refreshIfNeeded()
/// ```
public final class Resource<Value: Sendable>: Sendable {
    /// Publishes the state of the data.
    ///
    /// You may also write to the publisher. A write makes the running load outdated, and callers of
    /// ``refresh()`` during that load join the load and receive the written data. To load and to
    /// invalidate, call the resource. The publisher's `startLoading()` starts no load, and
    /// `invalidate()` of the publisher drops the answer of the running load without repeating the
    /// load.
    public let publisher: StatePublisher<Value>
    let options: ResourceOptions
    let loader: @Sendable () async throws -> Value
    let store: StoreQueue<Value>?
    let timeline: Timeline
    let core = Lock(ResourceCore<Value>())
    /// The timer for the next regular load.
    let interval = SleepTimer()
    /// The timer for dropping data without observers.
    let releaseTimer = SleepTimer()
    let wallTime: @Sendable () -> Duration
    /// The resource's entry in a family, if any.
    weak let entry: FamilyEntry<Value>?
    private let random: @Sendable () -> Double

    /// Creates a resource that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - options: The rules that keep the data fresh.
    ///   - store: The store that keeps a copy, or none by default.
    ///   - clock: The clock that measures the age of data and retry delays.
    ///   - wallTime: Returns the time since 1 January 1970, UTC, which measures the age of the
    ///     stored copy. The default is the system's time.
    ///   - storeFailed: Called with each error that the store throws, on any thread.
    ///   - loader: Loads the data. The loader is called once for each attempt. When the loader's
    ///     task is cancelled, the answer is dropped. In any other case, a thrown
    ///     `CancellationError` is a failure. A loader must not await ``refresh()`` of the same
    ///     resource, because that call would wait for the loader.
    public convenience init(
        options: ResourceOptions = ResourceOptions(),
        store: (any ResourceStore<Value>)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        wallTime: @escaping @Sendable () -> Duration = { WallTime.now() },
        storeFailed: @escaping @Sendable (any Error) -> Void = { _ in },
        loader: @escaping @Sendable () async throws -> Value
    ) {
        self.init(
            options: options,
            store: store.map { StoreQueue($0, failed: storeFailed) },
            clock: clock,
            wallTime: wallTime,
            random: { .random(in: 0...1) },
            loader: loader
        )
    }

    /// Creates a resource whose random retry delays come from `random`.
    init(
        options: ResourceOptions,
        store: StoreQueue<Value>?,
        clock: some Clock<Duration>,
        wallTime: @escaping @Sendable () -> Duration = { WallTime.now() },
        random: @escaping @Sendable () -> Double,
        entry: FamilyEntry<Value>? = nil,
        loader: @escaping @Sendable () async throws -> Value
    ) {
        if let interval = options.refreshInterval {
            require(interval > .zero, "A refresh interval is longer than zero: it is \(interval).")
        }
        self.options = options
        self.store = store
        self.loader = loader
        self.wallTime = wallTime
        self.random = random
        self.entry = entry
        timeline = Timeline(clock)
        publisher = StatePublisher(staleAfter: options.staleAfter, clock: clock)
        publisher.whileObserved(
            start: { [weak self] in self?.observersCame() },
            stop: { [weak self] in self?.observersLeft() }
        )
    }

    deinit {
        interval.clear()
        releaseTimer.clear()
        let (load, task) = core.withLock { ($0.machine.end(), $0.task.take()) }
        task?.task.cancel()
        if let load { publisher.change { $0.end(at: load.rest) } }
        entry?.resourceDied()
    }

    /// The current state.
    package var state: LoadState<Value> { publisher.state }

    /// The newest data since the last reset, also while loading and after an error.
    package var lastData: Value? { publisher.lastData }

    /// Whether the data should be loaded again, which is true for unknown, failed, invalidated or
    /// old data.
    package var isStale: Bool { publisher.isStale }

    /// Whether a load is running that has exceeded the option `slowAfter`.
    package var isSlow: Bool { publisher.isSlow }

    /// Returns the delay before the next attempt, or nil for no further attempt.
    func delay(afterAttempt attempt: Int, failing error: any Error) -> Duration? {
        options.retry.delay(after: attempt, failing: error, random: random())
    }
}
