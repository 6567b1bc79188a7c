// SPDX-License-Identifier: Apache-2.0
import Tidings

/// An outcome that is settled once and can be awaited by many.
final class OutcomePromise: Sendable {
    private struct State {
        var outcome: NotificationOutcome?
        var waiters: [CheckedContinuation<NotificationOutcome, Never>] = []
        var timer: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// Settles the outcome; only the first call counts.
    func settle(_ outcome: NotificationOutcome) {
        let (waiters, timer) = state.withLock { state in
            guard state.outcome == nil else {
                return (
                    [CheckedContinuation<NotificationOutcome, Never>](), nil as Task<Void, Never>?
                )
            }
            state.outcome = outcome
            defer {
                state.waiters = []
                state.timer = nil
            }
            return (state.waiters, state.timer)
        }
        timer?.cancel()
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// Settles it as timed out unless something else does within `limit`.
    func limit(to limit: Duration, on clock: any NotificationClock) {
        let timer = Task {
            if (try? await clock.sleep(for: limit)) != nil { settle(.timedOut) }
        }
        let isLate = state.withLock { state in
            if state.outcome == nil { state.timer = timer }
            return state.outcome != nil
        }
        if isLate { timer.cancel() }
    }

    var value: NotificationOutcome {
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
