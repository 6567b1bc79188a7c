// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TidingsFiles

/// A serial queue for blocking calls, so that no thread of the concurrency runtime waits for a
/// disk.
struct BlockingCallQueue: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a closure on the queue and returns the result.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// Runs a closure that does not throw on the queue and returns the result.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    /// Schedules a closure on the queue and returns without waiting.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// Calls a closure on the queue after each rename of a file into a folder.
    func watch(_ folder: String, _ renamed: @escaping @Sendable () -> Void) -> FolderWatch {
        FolderWatch(folder, on: queue, handler: renamed)
    }
}
