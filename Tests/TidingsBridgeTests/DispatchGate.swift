// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Blocks the thread of a handler that is not asynchronous.
final class DispatchGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }

    func open() { semaphore.signal() }
}
