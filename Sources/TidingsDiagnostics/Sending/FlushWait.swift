// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Somebody who waits until a courier has come to rest.
struct FlushWait {
    /// Nil until the task waits.
    var continuation: CheckedContinuation<Bool, Never>?
    /// Whether everything recorded before lies in the spool, so that the next rest is the one.
    var isArmed = false
    /// What was found out before the task waited.
    var result: Bool?
}

extension Courier {
    /// Sends what was recorded before the call, as far as it can be sent now.
    ///
    /// Waits neither for the end of a pause or a delay nor for consent.
    ///
    /// - Parameter timeout: How long to wait at most.
    /// - Returns: Whether everything is sent.
    func flush(timeout: Duration) async -> Bool {
        let wait = state.withLock { state in
            state.lastWait += 1
            state.waits[state.lastWait] = FlushWait()
            return state.lastWait
        }
        let timer = Task.detached { [sleep] in
            guard (try? await sleep(timeout)) != nil else { return }
            self.end(wait)
        }
        let work = Task.detached {
            await self.spool.flush()
            self.arm(wait)
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in state.add(continuation, wait) }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            end(wait)
        }
    }

    private func arm(_ wait: Int) {
        let isClosed = state.withLock { state in
            state.waits[wait]?.isArmed = true
            return state.machine.isClosed
        }
        if isClosed { end(wait) } else { wake() }
    }

    private func end(_ wait: Int) {
        state.withLock { $0.end(wait, false) }?.resume(returning: false)
    }
}

extension Courier.State {
    /// Takes out who waits; they are for the caller to resume.
    mutating func takeWaits(
        _ result: Bool,
        where isWanted: (FlushWait) -> Bool = { _ in true }
    ) -> [CheckedContinuation<Bool, Never>] {
        let wanted = waits.filter { isWanted($0.value) }
        return wanted.keys.sorted().compactMap { end($0, result) }
    }

    /// Keeps who waits, or returns the result that is there already.
    fileprivate mutating func add(
        _ continuation: CheckedContinuation<Bool, Never>,
        _ wait: Int
    ) -> Bool? {
        guard let result = waits[wait]?.result else {
            waits[wait]?.continuation = continuation
            return nil
        }
        waits[wait] = nil
        return result
    }

    /// Ends a wait; who waits is for the caller to resume.
    fileprivate mutating func end(
        _ wait: Int,
        _ result: Bool
    ) -> CheckedContinuation<Bool, Never>? {
        guard let continuation = waits[wait]?.continuation else {
            if waits[wait]?.result == nil { waits[wait]?.result = result }
            return nil
        }
        waits[wait] = nil
        return continuation
    }
}
