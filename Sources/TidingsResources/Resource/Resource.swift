// SPDX-License-Identifier: Apache-2.0
public import Tidings
import TidingsLock

/// Loads data and shares it with every observer.
///
/// A resource owns a publisher and a loader. All callers share one load and its outcome. A resource
/// drops an answer if a newer answer, a write, an invalidation or a reset has made it outdated. A
/// load that fails or is cancelled keeps the data. With a store, the first load shows the stored
/// copy, which stays if that load fails.
///
/// Every member may be called on any thread. The loader runs in a task of its own, which the
/// resource cancels when neither a caller nor an observer needs the load. Its observers are called
/// in the same way as the observers of any `StatePublisher`. A resource that is deallocated
/// cancels its load.
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
    /// You may also write to it: a write makes the running load outdated, and callers of
    /// ``refresh()`` during that load join it and receive the written data. To load and to
    /// invalidate, call the resource: the publisher's `startLoading()` begins no load, and its
    /// `invalidate()` drops the answer of the running load without repeating it.
    public let publisher: StatePublisher<Value>
    let options: ResourceOptions
    let loader: @Sendable () async throws -> Value
    let store: StoreQueue<Value>?
    let timeline: Timeline
    let core = Lock(ResourceCore<Value>())
    /// Fires when data is due to be loaded again.
    let interval = SleepTimer()
    /// Fires when data without observers is due to be dropped.
    let releaseTimer = SleepTimer()
    let wallTime: @Sendable () -> Duration
    /// Its entry in a family, if it belongs to one.
    weak let entry: FamilyEntry<Value>?
    private let random: @Sendable () -> Double

    /// Creates a resource that has not loaded anything yet.
    ///
    /// - Parameters:
    ///   - options: How the resource keeps its data fresh.
    ///   - store: The store that keeps a copy; none by default.
    ///   - clock: The clock that measures the age of data and retry delays.
    ///   - wallTime: Returns the time since 1 January 1970, UTC, which measures the age of the
    ///     stored copy; the system's time by default.
    ///   - storeFailed: Called with each error that the store throws, on any thread.
    ///   - loader: Loads the data. Called once for each attempt; when its task is cancelled, its
    ///     answer is dropped. A `CancellationError` that it throws otherwise is a failure. A loader
    ///     that awaits ``refresh()`` of its own resource waits for itself.
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

    /// Whether the data should be loaded again: unknown, failed, invalidated or too old.
    package var isStale: Bool { publisher.isStale }

    /// Whether a load is running that has exceeded the option `slowAfter`.
    package var isSlow: Bool { publisher.isSlow }

    /// Returns the delay before the next attempt; nil if there is none.
    func delay(afterAttempt attempt: Int, failing error: any Error) -> Duration? {
        options.retry.delay(after: attempt, failing: error, random: random())
    }
}
