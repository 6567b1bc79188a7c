// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TidingsHTTP

/// A receiver that keeps what it gets, and can refuse.
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

    /// Creates a recorder that keeps `limit` bytes and tells `onBytes` how many have come.
    package init(limit: Int = .max, onBytes: @escaping @Sendable (Int) throws -> Void = { _ in }) {
        self.limit = limit
        self.onBytes = onBytes
    }

    package var heads: [HTTPResponseHead] { state.withLock { $0.heads } }
    package var body: [UInt8] { state.withLock { $0.body } }
    /// How often it was called after `end()`.
    package var callsAfterEnd: Int { state.withLock { $0.callsAfterEnd } }

    /// Says that no call may follow.
    package func end() { state.withLock { $0.isEnded = true } }

    package func receive(_ head: HTTPResponseHead) throws {
        state.withLock { state in
            state.heads.append(head)
            if state.isEnded { state.callsAfterEnd += 1 }
        }
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let limit = limit
        let count = state.withLock { state in
            state.body.append(contentsOf: bytes.prefix(max(0, limit - state.body.count)))
            if state.isEnded { state.callsAfterEnd += 1 }
            return state.body.count
        }
        try onBytes(count)
    }
}
