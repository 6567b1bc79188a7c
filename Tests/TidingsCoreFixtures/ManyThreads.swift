// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization

/// Runs `bodies` at the same time, each on a thread of its own, until all have returned.
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

    /// Lets nobody go before the last has come.
    func waitForAll() {
        if arrived.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count {
            for _ in 0..<count { start.signal() }
        }
        start.wait()
    }

    /// Says whether it was the last.
    func leave() -> Bool {
        left.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count
    }
}
