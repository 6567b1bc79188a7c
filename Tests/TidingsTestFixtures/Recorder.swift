// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TidingsHTTP

/// A receiver that records a response and can stop the transfer.
package final class Recorder: HTTPReceiver {
    private struct State {
        var heads: [HTTPResponseHead] = []
        var body: [UInt8] = []
        var callsAfterEnd = 0
        var isEnded = false
    }

    private let state = Mutex(State())
    private let limit: Int
    private let onBytes: @Sendable (Int) throws -> Void
    private let decide: @Sendable (Int) -> HTTPDecision

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of body bytes to store.
    ///   - onBytes: Called after each piece with the number of stored bytes. The closure may throw.
    ///   - decide: Returns the decision for the number of stored bytes: 0 after the head.
    package init(
        limit: Int = .max,
        onBytes: @escaping @Sendable (Int) throws -> Void = { _ in },
        decide: @escaping @Sendable (Int) -> HTTPDecision = { _ in .proceed }
    ) {
        self.limit = limit
        self.decide = decide
        self.onBytes = onBytes
    }

    package var heads: [HTTPResponseHead] { state.withLock { $0.heads } }
    package var body: [UInt8] { state.withLock { $0.body } }
    /// The number of calls after `end()`.
    package var callsAfterEnd: Int { state.withLock { $0.callsAfterEnd } }

    /// Marks the end of the transfer, after which no call may follow.
    package func end() { state.withLock { $0.isEnded = true } }

    package func receive(_ head: HTTPResponseHead) throws -> HTTPDecision {
        state.withLock { state in
            state.heads.append(head)
            if state.isEnded { state.callsAfterEnd += 1 }
        }
        return decide(0)
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) throws -> HTTPDecision {
        let limit = limit
        let count = state.withLock { state in
            state.body.append(contentsOf: bytes.prefix(max(0, limit - state.body.count)))
            if state.isEnded { state.callsAfterEnd += 1 }
            return state.body.count
        }
        try onBytes(count)
        return decide(count)
    }
}
