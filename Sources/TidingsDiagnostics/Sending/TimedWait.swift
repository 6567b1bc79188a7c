// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Somebody who waits for work that may never end, but no longer than they may.
final class TimedWait<Value: Sendable>: Sendable {
    private struct State {
        /// Nil until the task waits.
        var continuation: CheckedContinuation<Value?, Never>?
        /// What there was before the task waited.
        var result: Value??
        var isOver = false
    }

    private let state = Lock(State())

    private init() {}

    /// Returns what `work` returns; nil when the time is over or the task was cancelled.
    ///
    /// The work is cancelled then and left alone: it goes on if it does not listen.
    static func value(
        within limit: Duration,
        _ sleep: @escaping @Sendable (Duration) async throws -> Void,
        of work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let wait = TimedWait()
        let priority = Task.currentPriority
        let work = Task.detached(priority: priority) { wait.end(await work()) }
        let timer = Task.detached(priority: priority) {
            guard (try? await sleep(limit)) != nil else { return }
            wait.end(nil)
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait.add($0) }
        } onCancel: {
            wait.end(nil)
        }
    }

    private func add(_ continuation: CheckedContinuation<Value?, Never>) {
        let result = state.withLock { state -> Value?? in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    private func end(_ value: Value?) {
        let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            guard let continuation = state.continuation else {
                state.result = .some(value)
                return nil
            }
            state.continuation = nil
            return continuation
        }
        continuation?.resume(returning: value)
    }
}
