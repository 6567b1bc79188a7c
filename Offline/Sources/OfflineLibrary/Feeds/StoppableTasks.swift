// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Tasks that `stop` cancels, and for whose end `stop` waits.
final class StoppableTasks: Sendable {
    private struct Running {
        let cancel: @Sendable () -> Void
        let end: @Sendable () async -> Void
    }

    private struct State {
        var running: [Int: Running] = [:]
        var count = 0
        var isStopped = false
    }

    private let state = Lock(State())

    /// Starts a task, or returns nil after `stop`.
    @discardableResult
    func begin<Value: Sendable>(
        _ step: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error>? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            state.count += 1
            let number = state.count
            let task = Task {
                defer { self.state.withLock { $0.running[number] = nil } }
                return try await step()
            }
            state.running[number] = Running(
                cancel: { task.cancel() },
                end: { _ = await task.result }
            )
            return task
        }
    }

    /// Cancels all tasks, waits for their end and starts no further task.
    func stop() async {
        let running = state.withLock { state in
            state.isStopped = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        for task in running { await task.end() }
    }
}
