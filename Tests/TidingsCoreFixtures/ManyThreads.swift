// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization

/// Runs `bodies` simultaneously on separate threads until all have returned.
package func runOnThreads(_ bodies: [@Sendable () -> Void]) async {
    let running = Running(bodies.count)
    await withCheckedContinuation { continuation in
        for body in bodies {
            Thread {
                running.waitForAll()
                body()
                if running.leave() { continuation.resume() }
            }.start()
        }
    }
}

private final class Running: Sendable {
    private let count: Int
    private let arrived = Atomic(0)
    private let left = Atomic(0)
    private let start = DispatchSemaphore(value: 0)

    init(_ count: Int) { self.count = count }

    /// Waits until the last thread has arrived.
    func waitForAll() {
        if arrived.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count {
            for _ in 0..<count { start.signal() }
        }
        start.wait()
    }

    /// Returns whether the thread was the last.
    func leave() -> Bool {
        left.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count
    }
}
