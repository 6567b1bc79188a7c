// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock
import TidingsTesting

@testable import TidingsBridge

@Suite(.timeLimit(.minutes(15)))
struct WaitingTests {
    @Test func b6_workThatWaitedAtTheEndOfItsConnectionIsSkippedAndNotForgotten() async throws {
        let (work, began, gate) = (LastingWork(), WaitableCounter(), Gate())
        let first = Task {
            try await work.run {
                began.add(1)
                try? await gate.wait()
            }
        }
        try await began.wait(for: 1)
        let calls = Lock<[String]>([])
        let second = Task {
            try await work.run {
                calls.withLock { $0.append("run") }
            } orSkip: {
                calls.withLock { $0.append("skipped") }
            }
        }
        second.cancel()
        await #expect(throws: TransportError.self) { try await second.value }
        gate.open()
        try await first.value
        #expect(calls.withLock { $0 } == ["skipped"])
    }

    @Test func b6_aClosedQueueCountsTheElementsThatItsReaderHasNotRead() async throws {
        let unread = Lock<[Int]>([])
        let queue = FrameQueue<Int> { count in unread.withLock { $0.append(count) } }
        _ = queue.append(1...5)
        #expect(try await queue.next(atMost: 2) == [1, 2])
        queue.close()
        queue.close()
        #expect(unread.withLock { $0 } == [3])
    }
}
