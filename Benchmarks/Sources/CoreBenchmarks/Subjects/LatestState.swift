// SPDX-License-Identifier: Apache-2.0
import CTidingsHeap
import Foundation
import Tidings

/// Two threads that change a state in a tight loop, and a reader who wants the newest one.
final class LatestState: Sendable {
    private let publisher = StatePublisher<Int>()
    private let changes: Int

    /// - Parameter changes: How many the two make together.
    init(_ changes: Int) {
        self.changes = changes
    }

    /// How much the heap has grown when everything is told; the reader has the last state then.
    func growth() -> Double {
        // What a first round leaves is kept for the next: buffers that have grown, two threads.
        run()
        let before = tidings_heap_in_use()
        run()
        return Double(tidings_heap_in_use()) - Double(before)
    }

    private func run() {
        let latest = publisher.states(buffering: .newest(1))
        let (changed, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Task.detached {
            for await state in latest where state.data == -1 { break }
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
        // Does not return unless the reader gets the end state.
        read.wait()
    }
}
