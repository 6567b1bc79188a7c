// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock

@Suite(.timeLimit(.minutes(15)))
struct WakeSignalTests {
    private let signal = WakeSignal()

    @Test func aSignalBeforeTheWaitIsKeptOnce() async {
        signal.raise()
        signal.raise()
        await signal.wait()
        // Only the limit ends this wait.
        let ended = Lock(false)
        await signal.wait(until: 1) { _ in ended.withLock { $0 = true } }
        #expect(ended.withLock { $0 })
    }

    @Test func theLimitEndsTheWaitAndALaterSignalIsKept() async {
        await signal.wait(until: 1) { _ in }
        signal.raise()
        await signal.wait()
    }

    @Test func aSignalCancelsTheSleep() async {
        let isCancelled = Lock(false)
        await signal.wait(until: 1) { [signal] _ in
            signal.raise()
            await WakeSignal().wait()
            isCancelled.withLock { $0 = Task.isCancelled }
        }
        #expect(isCancelled.withLock { $0 })
    }

    @Test func cancellationEndsAWaitWithoutALimit() async {
        let task = Task { [signal] in await signal.wait(until: Int?.none) { _ in } }
        task.cancel()
        await task.value
    }
}
