// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// An outcome that is settled once while a task waits.
package final class Answer<Value: Sendable>: Sendable {
    private let state = Lock(AnswerState<Value>())

    /// Creates an answer that is not settled.
    package init() {}

    /// Settles the outcome.
    ///
    /// - Returns: False if the outcome was settled before.
    @discardableResult
    package func settle(_ outcome: Result<Value, any Error>) -> Bool {
        guard let actions = state.withLock({ $0.settle(outcome) }) else { return false }
        for action in actions { action() }
        return true
    }

    /// Calls `action` when the outcome is settled, or immediately if an outcome is already there.
    func whenSettled(_ action: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.isSettled(orCall: action) }) { action() }
    }

    /// Waits for the outcome, on the caller's actor.
    ///
    /// - Parameter onCancel: Called when the waiting task is cancelled. The wait continues until
    ///   the outcome is settled.
    /// - Returns: The outcome.
    package func outcome(onCancel: @escaping @Sendable () -> Void) async -> Result<Value, any Error>
    {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                whenSettled { [self] in
                    // This closure runs after the outcome is settled, so `outcome` is never nil
                    // here.
                    guard let outcome = state.withLock({ $0.outcome }) else { return }
                    continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            onCancel()
        }
    }
}

/// The outcome of an answer and the actions to call on settling, as a value.
struct AnswerState<Value: Sendable>: Sendable {
    private(set) var outcome: Result<Value, any Error>?
    private var actions: [@Sendable () -> Void] = []

    /// Settles the outcome.
    ///
    /// - Returns: The actions to call outside the lock, or nil if the outcome was settled before.
    mutating func settle(_ outcome: Result<Value, any Error>) -> [@Sendable () -> Void]? {
        guard self.outcome == nil else { return nil }
        self.outcome = outcome
        defer { actions = [] }
        return actions
    }

    /// Returns whether the outcome is settled, and otherwise keeps `action` until then.
    mutating func isSettled(orCall action: @escaping @Sendable () -> Void) -> Bool {
        if outcome == nil { actions.append(action) }
        return outcome != nil
    }
}
