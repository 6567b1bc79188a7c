// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Runs `body` on eight new threads, which start together, and waits for all threads.
func onEightThreads(_ body: @escaping @Sendable (_ number: Int) -> Void) {
    let (ready, done) = (DispatchSemaphore(value: 0), DispatchGroup())
    for number in 0..<8 {
        done.enter()
        Thread {
            ready.wait()
            body(number)
            done.leave()
        }.start()
    }
    for _ in 0..<8 { ready.signal() }
    done.wait()
}

/// A counter that can be used on any thread.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    func add(_ number: Int = 1) {
        value.add(number, ordering: .sequentiallyConsistent)
    }
}
