// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The cancellation of a task, for blocking work that runs outside the task.
package final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Whether the task was cancelled.
    package var isSet: Bool { flag.load(ordering: .relaxed) }

    /// Ends the work with an error if the task was cancelled.
    package func check() throws(CancellationError) {
        if isSet { throw CancellationError() }
    }

    fileprivate func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs blocking work that reads the flag between two pieces, so that the work ends soon after the
/// calling task is cancelled.
///
/// - Throws: `CancellationError` for each failure after a cancellation, otherwise the error of the
///   work.
package func performCancellable<Value: Sendable>(
    _ work: @escaping @Sendable (CancellationFlag) throws -> Value
) async throws -> Value {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
        do {
            return try await performBlocking { try work(flag) }
        } catch  where flag.isSet {
            throw CancellationError()
        }
    } onCancel: {
        flag.set()
    }
}
