// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Calls handlers in a task that outlives the connection.
///
/// A slow handler therefore does not keep the bridge from the next connection.
final class LastingWork: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    /// Runs a body when the previous body has ended, and waits for the end.
    ///
    /// - Parameters:
    ///   - body: The work.
    ///   - skip: Called in place of `body` if the waiting task is cancelled before the previous
    ///     body has ended.
    /// - Throws: `closed` if the waiting task is cancelled first. A body that has started goes on.
    func run(
        _ body: @escaping @Sendable () async -> Void,
        orSkip skip: () -> Void = {}
    ) async throws(TransportError) {
        if let last = last.withLock({ $0 }) {
            do throws(TransportError) {
                try await wait(for: last)
            } catch {
                skip()
                throw error
            }
        }
        let task = last.withLock { last in
            // Another caller may have added a body since the check above.
            let task = Task { [last] in
                await last?.value
                await body()
            }
            last = task
            return task
        }
        try await wait(for: task)
    }

    /// Waits for the last body, which no connection waits for any more.
    func finish() async {
        await last.withLock { $0 }?.value
    }

    private func wait(for task: Task<Void, Never>) async throws(TransportError) {
        let end = Answer<Bool>()
        Task {
            await task.value
            end.settle(.success(true))
        }
        let outcome = await end.outcome { end.settle(.success(false)) }
        guard case .success(true) = outcome else {
            throw TransportError(.closed, "The reading was cancelled.")
        }
    }
}
