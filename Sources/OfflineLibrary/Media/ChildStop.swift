// SPDX-License-Identifier: Apache-2.0
import Glibc
import Tidings

/// Stops a running child from any thread.
final class ChildStop: Sendable {
    private struct State: Sendable {
        var isStopped = false
        /// Writing here wakes the child's thread; nil before it runs and after it ended.
        var alarm: Int32?
    }

    private let state = Lock(State())

    /// Asks for the end; harmless when it has come already.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            guard let alarm = state.alarm else { return }
            var byte: UInt8 = 0
            _ = write(alarm, &byte, 1)
        }
    }

    /// Sets where to write to wake the child's thread, and returns whether a stop came before.
    func setAlarm(_ descriptor: Int32?) -> Bool {
        state.withLock { state in
            state.alarm = descriptor
            return state.isStopped
        }
    }
}
