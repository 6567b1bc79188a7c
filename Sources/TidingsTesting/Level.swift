// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A number that tasks can wait for.
///
/// The one place of this module where tasks wait for a fact.
final class Level: Sendable {
    private struct Waiter {
        let level: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var level = 0
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Lock(State())

    /// Changes the number and lets everybody pass who waits for no more than it is then.
    func add(_ change: Int) {
        let passing = state.withLock { state in
            state.level += change
            let passing = state.waiters.filter { $0.value.level <= state.level }
            for id in passing.keys { state.waiters[id] = nil }
            return passing.sorted { $0.key < $1.key }.map(\.value.continuation)
        }
        for continuation in passing { continuation.resume() }
    }

    /// Waits until the number is at least `level`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func wait(for level: Int) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.level >= level { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = Waiter(level: level, continuation: continuation)
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
