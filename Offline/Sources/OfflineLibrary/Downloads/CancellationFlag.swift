// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The cancellation of a task, for blocking work that runs outside of it.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Whether the task was cancelled.
    var isSet: Bool { flag.load(ordering: .relaxed) }

    /// Ends the work with an error if the task was cancelled.
    func check() throws(CancellationError) {
        if isSet { throw CancellationError() }
    }

    fileprivate func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs blocking work that reads its flag between two pieces, so that it ends soon after a
/// cancellation of the calling task.
///
/// - Throws: `CancellationError` for each failure after a cancellation, else the error of the work.
func performCancellable<Value: Sendable>(
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
