// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Does one asynchronous thing after the other, in the order in which they were asked for.
final class Ledger: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    /// Returns what the body returns when its turn has come and gone.
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

    /// Does something later, without anybody who waits for it.
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
