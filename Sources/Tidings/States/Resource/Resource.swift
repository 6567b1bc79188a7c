// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Loads data, and shares it with every observer.
///
/// A resource owns a publisher and a loader. All callers share one load and its outcome. A resource
/// drops an answer if a newer answer, a write, an invalidation or a reset has made it outdated. A
/// load that fails or is cancelled keeps the data. With a store, the first load shows the stored
/// copy, which stays if that load fails.
///
/// Every member may be called on any thread. The loader runs in a task of its own, which the
/// resource cancels when neither a caller nor an observer needs the load. Observers are called as
/// by every ``StatePublisher``. A resource that is released cancels its load.
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
    /// Tells what is known of the data.
    ///
    /// It may be written to as well: a write makes the load that runs outdated, and who asks until
    /// that
    /// is over joins it and gets what was written. To load and to invalidate, call the resource:
    /// the publisher's `startLoading()` begins no load, and its
    /// `invalidate()` drops the answer of the one that runs without another one after it.
    public let publisher: StatePublisher<Value>
    let options: ResourceOptions
    let loader: @Sendable () async throws -> Value
    let store: StoreQueue<Value>?
    let timeline: Timeline
    let core = Lock(ResourceCore<Value>())
    /// Rings when data is due to be loaded again.
    let interval = SleepTimer()
    /// Rings when data without observers is to be dropped.
    let releaseTimer = SleepTimer()
    let wallTime: @Sendable () -> Duration
    /// Its place in a family, if it has one.
    weak let entry: FamilyEntry<Value>?
    private let random: @Sendable () -> Double

    /// Creates a resource that has loaded nothing yet.
    ///
    /// - Parameters:
    ///   - options: How the data is kept fresh.
    ///   - store: Where a copy is kept; nowhere, unless stated.
    ///   - clock: What tells the age of data and when to retry.
    ///   - wallTime: Returns the time since 1 January 1970, UTC, by which the store's copy has its
    ///     age; the system's unless stated.
    ///   - storeFailed: Told what the store throws, on any thread.
    ///   - loader: Loads the data. Called once for each attempt; when its task is cancelled, nobody
    ///     wants the answer. A `CancellationError` that it throws otherwise is a failure. One that
    ///     awaits ``refresh()`` of its own resource waits for itself.
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

    /// Creates a resource whose delays are left to `random`.
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
        let hook = PresenceHook(
            start: { [weak self] in self?.observersCame() },
            stop: { [weak self] in self?.observersLeft() }
        )
        publisher.delivery.channel.add(hook)
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
    public var state: LoadState<Value> { publisher.state }

    /// The newest data there ever was since the last reset, also while loading and after an error.
    public var lastData: Value? { publisher.lastData }

    /// Whether the data should be loaded again: unknown, failed, invalidated or too old.
    public var isStale: Bool { publisher.isStale }

    /// Whether a load runs that takes longer than ``ResourceOptions/slowAfter``.
    public var isSlow: Bool { publisher.isSlow }

    /// How long to wait before the next attempt; nil if there is none.
    func delay(afterAttempt attempt: Int, failing error: any Error) -> Duration? {
        options.retry.delay(after: attempt, failing: error, random: random())
    }
}
