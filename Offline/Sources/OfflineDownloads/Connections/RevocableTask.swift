// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A task that can be cancelled before it exists.
final class RevocableTask: Sendable {
    private struct State {
        var isCancelled = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Runs an operation and returns the result.
    ///
    /// A cancellation of the caller's task also cancels the operation.
    func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await operation() }
        let cancel: @Sendable () -> Void = { task.cancel() }
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
        return await withTaskCancellationHandler(operation: { await task.value }, onCancel: cancel)
    }

    /// Cancels the task.
    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }
}
