// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Waits for work that may never finish, up to a time limit.
final class TimedWait<Value: Sendable>: Sendable {
    private struct State {
        /// Nil until the task has suspended.
        var continuation: CheckedContinuation<Value?, Never>?
        /// The result, if known before the task has suspended.
        var result: Value??
        var isOver = false
    }

    private let state = Lock(State())

    private init() {}

    /// Returns the result of `work`, or nil if the time limit expires or the task is canceled.
    ///
    /// The work is then canceled but not awaited, and continues if it ignores the cancellation.
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
