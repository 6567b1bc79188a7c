// SPDX-License-Identifier: Apache-2.0
import Glibc
import TidingsLock

/// Cancels a running child from any thread.
final class ChildCancellation: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        /// The descriptor of the pipe that wakes the child's thread, or nil before and after the
        /// run.
        var wakeDescriptor: Int32?
    }

    private let state = Lock(State())

    /// Requests the end of the child.
    ///
    /// The call does nothing after the child has ended.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            guard let descriptor = state.wakeDescriptor else { return }
            var byte: UInt8 = 0
            _ = write(descriptor, &byte, 1)
        }
    }

    /// Sets the descriptor to write to in `cancel`, and returns whether `cancel` was called before.
    func setWakeDescriptor(_ descriptor: Int32?) -> Bool {
        state.withLock { state in
            state.wakeDescriptor = descriptor
            return state.isCancelled
        }
    }
}
