// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// An outcome that is settled once and that any number of tasks can await.
final class OutcomePromise: Sendable {
    private struct State {
        var outcome: UserNotificationOutcome?
        var waiters: [CheckedContinuation<UserNotificationOutcome, Never>] = []
    }

    private let state = Lock(State())

    /// Settles the outcome on the first call, and does nothing after that.
    func settle(_ outcome: UserNotificationOutcome) {
        let waiters = state.withLock { state in
            guard state.outcome == nil else {
                return [CheckedContinuation<UserNotificationOutcome, Never>]()
            }
            state.outcome = outcome
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    var value: UserNotificationOutcome {
        get async {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiters.append(continuation) }
                    return state.outcome
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }
    }
}
