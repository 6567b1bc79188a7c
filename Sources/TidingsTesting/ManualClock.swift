// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// A clock that stands still until a test advances the clock.
///
/// Pass the clock to code that takes a `Clock<Duration>`, wait until that code sleeps, and advance
/// the clock.
///
/// ```swift
/// let clock = ManualClock()
/// let publisher = StatePublisher<Int>(staleAfter: .seconds(60), clock: clock)
/// publisher.updateData(1)
/// clock.advance(by: .seconds(60))
/// #expect(publisher.isStale)
/// ```
public final class ManualClock: Clock {
    /// A point in this clock's time.
    public struct Instant: InstantProtocol {
        /// The time since the creation of the clock.
        public let offset: Duration

        /// Creates the instant `offset` after the creation of the clock.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from here to `other`.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Returns whether `left` is earlier than `right`.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Lock(State())
    private let sleeping = WaitableCounter()

    /// Creates a clock at offset zero.
    public init() {}

    /// The current instant.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step, one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of tasks that sleep on this clock now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Advances the clock and wakes the tasks whose deadlines have passed, the earliest first.
    ///
    /// - Precondition: `duration` is not negative.
    public func advance(by duration: Duration) {
        require(duration >= .zero, "A clock cannot go back. Advance it by zero or more.")
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
                .map(\.value.continuation)
        }
        sleeping.add(-woken.count)
        for continuation in woken { continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep on this clock at the same time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await sleeping.wait(for: count)
    }

    /// Sleeps until a test has advanced the clock to `deadline`.
    ///
    /// The tolerance is ignored.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let outcome {
                    continuation.resume(with: outcome)
                } else {
                    sleeping.add(1)
                }
            }
        } onCancel: {
            guard let sleeper = state.withLock({ $0.sleepers.removeValue(forKey: id) }) else {
                return
            }
            sleeping.add(-1)
            sleeper.continuation.resume(throwing: CancellationError())
        }
    }
}
