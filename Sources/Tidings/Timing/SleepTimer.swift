// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Calls back at the earliest time that it was set to.
final class SleepTimer: Sendable {
    private let state = Lock(SleepTimerState<Task<Void, Never>>())

    /// Calls `action` at `deadline`, in place of a later call that waits.
    ///
    /// If an earlier call waits it does nothing: whoever is called early sets the timer again.
    func set(to deadline: Duration, on timeline: Timeline, _ action: @escaping @Sendable () -> Void)
    {
        guard let (number, replaced) = state.withLock({ $0.set(to: deadline) }) else { return }
        // Outside the lock: cancelling runs what the clock does when a sleep is cancelled.
        replaced?.cancel()
        let task = timeline.task(at: deadline) { [self] in
            if state.withLock({ $0.ring(number) }) { action() }
        }
        if !state.withLock({ $0.keep(task, number) }) { task.cancel() }
    }

    /// Forgets what waits.
    func clear() {
        state.withLock { $0.clear() }?.cancel()
    }
}

/// Which timer counts, as a value.
///
/// The task of one that rings is let go first: what it calls must not find itself cancelled.
struct SleepTimerState<Waiter: Sendable>: Sendable {
    private var number = 0
    private var lastRung = 0
    /// When the one that waits rings.
    private var deadline: Duration?
    private var task: Waiter?

    /// Begins another timer and takes the task of the one before; nil if an earlier one waits.
    mutating func set(to newDeadline: Duration) -> (number: Int, replaced: Waiter?)? {
        if let deadline, deadline <= newDeadline { return nil }
        number += 1
        deadline = newDeadline
        return (number, task.take())
    }

    /// Says whether this timer still counts, which it does once.
    mutating func ring(_ ringing: Int) -> Bool {
        guard ringing == number, deadline != nil else { return false }
        lastRung = number
        deadline = nil
        task = nil
        return true
    }

    /// Keeps the task of an timer until it rings; false if it is to be cancelled instead.
    mutating func keep(_ waiting: Waiter, _ itsNumber: Int) -> Bool {
        guard itsNumber > lastRung else { return true }
        guard itsNumber == number, deadline != nil else { return false }
        task = waiting
        return true
    }

    /// Ends the one that waits and takes its task.
    mutating func clear() -> Waiter? {
        deadline = nil
        return task.take()
    }
}
