// SPDX-License-Identifier: Apache-2.0

/// Wakes one waiting task.
///
/// A signal before the wait is kept.
package final class WakeSignal: Sendable {
    private struct State {
        var isRaised = false
        var lastID = 0
        var waiter: (id: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Lock(State())

    /// Creates a signal that is not raised.
    package init() {}

    /// Wakes the waiting task, or lets the next wait return immediately.
    package func raise() {
        let waiter = state.withLock { state in
            state.isRaised = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.continuation.resume()
    }

    /// Waits for a signal, or until a limit or the cancellation of the task, and lowers the signal.
    ///
    /// - Parameters:
    ///   - limit: The limit. Without a limit, only a signal or the cancellation ends the wait.
    ///   - sleep: Sleeps until the limit, on the clock of the caller. The wait cancels the sleep.
    /// - Precondition: Only one task waits at a time.
    package func wait<Limit: Sendable>(
        until limit: Limit?,
        sleep: @escaping @Sendable (Limit) async throws -> Void
    ) async {
        guard let limit else { return await wait() }
        await withTaskGroup { group in
            group.addTask { await self.wait() }
            group.addTask { try? await sleep(limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits for a signal, or until the task is cancelled, and lowers the signal.
    ///
    /// - Precondition: Only one task waits at a time.
    package func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    precondition(state.waiter == nil, "Two tasks wait for one signal.")
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return false
                    }
                    state.waiter = (id, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiter?.id == id ? state.waiter.take() : nil
            }
            waiter?.continuation.resume()
        }
    }
}
