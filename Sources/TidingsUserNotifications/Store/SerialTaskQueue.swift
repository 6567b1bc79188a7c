// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Runs asynchronous closures one at a time, in the order of the calls.
final class SerialTaskQueue: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    /// Runs a closure after the earlier ones and returns the result.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = last.withLock { last in
            let previous = last
            let task = Task {
                await previous?.value
                return try await body()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await task.value
    }

    /// Schedules a closure after the earlier ones and returns without waiting.
    func enqueue(_ body: @escaping @Sendable () async -> Void) {
        last.withLock { last in
            let previous = last
            last = Task {
                await previous?.value
                await body()
            }
        }
    }
}
