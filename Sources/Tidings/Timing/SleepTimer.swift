// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Calls a closure at the earliest time for which it was set.
package final class SleepTimer: Sendable {
    private let state = Lock(SleepTimerState<Task<Void, Never>>())

    /// Creates a timer without a pending call.
    package init() {}

    /// Calls `action` at `deadline`, and replaces a pending later call.
    ///
    /// If an earlier call is pending, this does nothing: a caller that is called early sets the
    /// timer again.
    package func set(
        to deadline: Duration,
        on timeline: Timeline,
        _ action: @escaping @Sendable () -> Void
    ) {
        guard let (number, replaced) = state.withLock({ $0.set(to: deadline) }) else { return }
        // Outside the lock, because cancelling runs the clock's cancellation code.
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
/// A timer that fires drops its task first, so that its action does not cancel its own task.
struct SleepTimerState<Waiter: Sendable>: Sendable {
    private var number = 0
    private var lastRung = 0
    /// The time of the pending call.
    private var deadline: Duration?
    private var task: Waiter?

    /// Starts another timer and returns the task of the old one; returns nil if an earlier one is
    /// pending.
    mutating func set(to newDeadline: Duration) -> (number: Int, replaced: Waiter?)? {
        if let deadline, deadline <= newDeadline { return nil }
        number += 1
        deadline = newDeadline
        return (number, task.take())
    }

    /// Returns whether this timer is still current; true only once.
    mutating func ring(_ ringing: Int) -> Bool {
        guard ringing == number, deadline != nil else { return false }
        lastRung = number
        deadline = nil
        task = nil
        return true
    }

    /// Keeps the task of a timer until it fires; returns false if the caller must cancel it
    /// instead.
    mutating func keep(_ waiting: Waiter, _ itsNumber: Int) -> Bool {
        guard itsNumber > lastRung else { return true }
        guard itsNumber == number, deadline != nil else { return false }
        task = waiting
        return true
    }

    /// Ends the pending timer and returns its task.
    mutating func clear() -> Waiter? {
        deadline = nil
        return task.take()
    }
}

/// Calls a closure after some time, unless it is cancelled first.
struct Deadline: Sendable {
    private let task: Task<Void, Never>?

    /// - Parameters:
    ///   - duration: How long to wait; nil for ever.
    ///   - clock: The clock that measures it.
    ///   - action: Called with the duration, in a task of its own.
    init(
        after duration: Duration?,
        on clock: some Clock<Duration>,
        _ action: @escaping @Sendable (Duration) -> Void
    ) {
        guard let duration else {
            task = nil
            return
        }
        // The runtime's clocks fail on an instant that is too far away, so 30 years count as for
        // ever.
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
