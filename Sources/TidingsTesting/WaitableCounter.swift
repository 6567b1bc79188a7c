// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A number that tasks can wait for.
///
/// All waits of this module are waits for a counter.
package final class WaitableCounter: Sendable {
    private struct Waiter {
        let minimum: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var value = 0
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Lock(State())

    /// Creates a counter at 0.
    package init() {}

    /// The sum of the changes so far.
    package var value: Int { state.withLock { $0.value } }

    /// Changes the value and resumes every waiter with a reached minimum, in waiting order.
    package func add(_ change: Int) {
        let resumed = state.withLock { state in
            state.value += change
            let resumed = state.waiters.filter { $0.value.minimum <= state.value }
            for id in resumed.keys { state.waiters[id] = nil }
            return resumed.sorted { $0.key < $1.key }.map(\.value.continuation)
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Waits until the value is at least `minimum`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package func wait(for minimum: Int) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.value >= minimum { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = Waiter(minimum: minimum, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
