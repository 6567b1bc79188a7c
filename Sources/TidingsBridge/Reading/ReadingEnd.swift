// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The end of the reading over one connection.
///
/// The task that reads outlives the connection until its handler has returned. The task is not
/// cancelled, because that would also cancel the handler.
final class ReadingEnd: Sendable {
    private struct State {
        var isOver = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Whether the next frame belongs to the next connection.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the reading.
    func come() {
        let action = state.withLock { state in
            state.isOver = true
            return state.action.take()
        }
        action?()
    }

    /// Calls `action` at the end of the reading, or immediately if the reading is over.
    ///
    /// The action replaces the action of the last call.
    func whenOver(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.action = action }
            return state.isOver
        }
        if isOver { action() }
    }

    /// Throws `closed` if the reading is over.
    func check() throws(TransportError) {
        if isOver { throw TransportError(.closed, "The reading has ended.") }
    }
}
