// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Calls a closure at the earliest time that was set.
package final class SleepTimer: Sendable {
    private let state = Lock(SleepTimerState<Task<Void, Never>>())

    /// Creates a timer without a pending call.
    package init() {}

    /// Calls `action` at `deadline`, and replaces a pending later call.
    ///
    /// If an earlier call is pending, the timer keeps only the earlier call. An action that is
    /// called early sets the timer again.
    package func set(
        to deadline: Duration,
        on timeline: Timeline,
        _ action: @escaping @Sendable () -> Void
    ) {
        guard let (number, replaced) = state.withLock({ $0.set(to: deadline) }) else { return }
        // The task is cancelled outside the lock, because cancelling runs the clock's cancellation
        // code.
        replaced?.cancel()
        let task = timeline.task(at: deadline) { [self] in
            if state.withLock({ $0.ring(number) }) { action() }
        }
        if !state.withLock({ $0.keep(task, number) }) { task.cancel() }
    }

    /// Cancels the pending call.
    package func clear() {
        state.withLock { $0.clear() }?.cancel()
    }
}

/// The pending call of a timer, as a value.
///
/// A timer that fires drops the task first, so that the action does not cancel the task in which
/// the action runs.
struct SleepTimerState<Waiter: Sendable>: Sendable {
    private var number = 0
    private var lastRung = 0
    /// The time of the pending call.
    private var deadline: Duration?
    private var task: Waiter?

    /// Starts another timer and returns the task of the old timer, or nil if an earlier timer is
    /// pending.
    mutating func set(to newDeadline: Duration) -> (number: Int, replaced: Waiter?)? {
        if let deadline, deadline <= newDeadline { return nil }
        number += 1
        deadline = newDeadline
        return (number, task.take())
    }

    /// Returns whether this timer is still current, but true only once.
    mutating func ring(_ ringing: Int) -> Bool {
        guard ringing == number, deadline != nil else { return false }
        lastRung = number
        deadline = nil
        task = nil
        return true
    }

    /// Keeps the task of a timer until the timer fires.
    ///
    /// - Returns: False if the caller must cancel the task instead.
    mutating func keep(_ waiting: Waiter, _ itsNumber: Int) -> Bool {
        guard itsNumber > lastRung else { return true }
        guard itsNumber == number, deadline != nil else { return false }
        task = waiting
        return true
    }

    /// Ends the pending timer and returns the timer's task.
    mutating func clear() -> Waiter? {
        deadline = nil
        return task.take()
    }
}

/// Calls a closure after some time, unless the deadline is cancelled first.
struct Deadline: Sendable {
    private let task: Task<Void, Never>?

    /// - Parameters:
    ///   - duration: The time to wait, or nil to wait forever.
    ///   - clock: The clock that measures the time.
    ///   - action: Called with the duration, in a separate task.
    init(
        after duration: Duration?,
        on clock: some Clock<Duration>,
        _ action: @escaping @Sendable (Duration) -> Void
    ) {
        guard let duration else {
            task = nil
            return
        }
        // The runtime's clocks fail on an instant that is too far away, so the wait is limited to
        // 30 years.
        let end = clock.now.advanced(by: min(duration, .seconds(1_000_000_000)))
        task = Task {
            // A cancelled deadline does not call the action.
            if (try? await clock.sleep(until: end, tolerance: nil)) != nil { action(duration) }
        }
    }

    func cancel() {
        task?.cancel()
    }
}
