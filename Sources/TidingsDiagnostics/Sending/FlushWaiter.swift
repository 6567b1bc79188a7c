// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A caller of `flush` that waits until the sender rests.
struct FlushWaiter {
    /// Nil until the task has suspended.
    var continuation: CheckedContinuation<Bool, Never>?
    /// Whether everything recorded before is in the spool, so that the next rest completes the
    /// flush.
    var isArmed = false
    /// The result, if known before the task has suspended.
    var result: Bool?
}

extension ReportSender {
    /// Sends everything recorded before the call that can be sent now.
    ///
    /// Does not wait for consent or for the end of a pause or a delay.
    ///
    /// - Parameter timeout: The maximum time to wait.
    /// - Returns: Whether everything is sent.
    func flush(timeout: Duration) async -> Bool {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = FlushWaiter()
            return state.lastWaiter
        }
        let timer = Task.detached { [sleep] in
            guard (try? await sleep(timeout)) != nil else { return }
            self.end(waiter)
        }
        let work = Task.detached {
            await self.spool.flush()
            self.arm(waiter)
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in state.add(continuation, waiter) }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            end(waiter)
        }
    }

    private func arm(_ waiter: Int) {
        let isClosed = state.withLock { state in
            state.waiters[waiter]?.isArmed = true
            return state.machine.isClosed
        }
        if isClosed { end(waiter) } else { wake() }
    }

    private func end(_ waiter: Int) {
        state.withLock { $0.end(waiter, false) }?.resume(returning: false)
    }
}

extension ReportSender.State {
    /// Removes the matching waiters and returns their continuations, which the caller must resume.
    mutating func removeWaiters(
        _ result: Bool,
        where isWanted: (FlushWaiter) -> Bool = { _ in true }
    ) -> [CheckedContinuation<Bool, Never>] {
        let wanted = waiters.filter { isWanted($0.value) }
        return wanted.keys.sorted().compactMap { end($0, result) }
    }

    /// Stores the continuation, or returns the result if already known.
    fileprivate mutating func add(
        _ continuation: CheckedContinuation<Bool, Never>,
        _ waiter: Int
    ) -> Bool? {
        guard let result = waiters[waiter]?.result else {
            waiters[waiter]?.continuation = continuation
            return nil
        }
        waiters[waiter] = nil
        return result
    }

    /// Ends a flush and returns the continuation for the caller to resume.
    fileprivate mutating func end(
        _ waiter: Int,
        _ result: Bool
    ) -> CheckedContinuation<Bool, Never>? {
        guard let continuation = waiters[waiter]?.continuation else {
            if waiters[waiter]?.result == nil { waiters[waiter]?.result = result }
            return nil
        }
        waiters[waiter] = nil
        return continuation
    }
}
