// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Settles outcomes as timed out after their deadlines, with one timer for all outcomes.
///
/// A timer per outcome would stay in the system's queue until the timer fires, even after the
/// outcome is settled.
final class OutcomeTimeouts: Sendable {
    private struct Entry {
        let deadline: Duration
        /// Weak, so that a settled promise is released together with the receipt.
        weak let promise: OutcomePromise?
    }

    private struct State {
        var entries: [Entry] = []
        var head = 0
        var isWaiting = false

        mutating func dropPrefix(while isOver: (Entry) -> Bool) {
            while head < entries.count, isOver(entries[head]) { head += 1 }
            // Compacts rarely, so that removing an entry costs as little as appending one.
            guard head > 64, head * 2 > entries.count else { return }
            entries.removeFirst(head)
            head = 0
        }
    }

    private let limit: Duration
    private let clock: any NotificationClock
    private let state = Lock(State())

    init(_ limit: Duration, on clock: any NotificationClock) {
        self.limit = limit
        self.clock = clock
    }

    /// Starts the timeout of an outcome.
    func add(_ promise: OutcomePromise) {
        let entry = Entry(deadline: clock.uptime + limit, promise: promise)
        let isFirst = state.withLock { state in
            state.dropPrefix { $0.promise == nil }
            state.entries.append(entry)
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if isFirst { Task { await wait() } }
    }

    private func wait() async {
        while let deadline = nextDeadline() {
            _ = try? await clock.sleep(for: deadline - clock.uptime)
            let now = clock.uptime
            let due = state.withLock { state -> [OutcomePromise] in
                var due: [OutcomePromise] = []
                state.dropPrefix { entry in
                    guard entry.deadline <= now else { return false }
                    if let promise = entry.promise { due.append(promise) }
                    return true
                }
                return due
            }
            for promise in due { promise.settle(.timedOut) }
        }
    }

    /// Returns the first deadline, or nil to end the wait.
    private func nextDeadline() -> Duration? {
        state.withLock { state in
            state.dropPrefix { $0.promise == nil }
            guard state.head < state.entries.count else {
                state.entries = []
                state.head = 0
                state.isWaiting = false
                return nil
            }
            return state.entries[state.head].deadline
        }
    }
}
