// SPDX-License-Identifier: Apache-2.0
import CBenchmarkHeap
import Foundation
import Tidings

/// Two threads that change a state in a tight loop, and a reader of the newest state.
final class LatestState: Sendable {
    private let publisher = StatePublisher<Int>()
    private let changes: Int

    /// - Parameter changes: The number of changes of both threads together.
    init(_ changes: Int) {
        self.changes = changes
    }

    /// Returns the growth of the heap after the reader has received the last state.
    func growth() -> Double {
        // The first round leaves grown buffers and two threads, which the next round reuses.
        run()
        let before = heap_in_use()
        run()
        return Double(heap_in_use()) - Double(before)
    }

    private func run() {
        let latest = publisher.states.buffering(.newest(1)).values
        let (changed, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Task.detached {
            for await state in latest where state.value == -1 { break }
            read.signal()
        }
        for _ in 0..<2 {
            Thread.detachNewThread { [publisher, changes] in
                for number in 0..<changes / 2 { publisher.updateData(number) }
                changed.signal()
            }
        }
        for _ in 0..<2 { changed.wait() }
        publisher.updateData(-1)
        // The wait ends only after the reader has received the last state.
        read.wait()
    }
}
