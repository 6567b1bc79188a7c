// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation
import Synchronization
import Tidings

/// Threads that post one type to one empty handler.
final class ThreadedPosting: Sendable {
    private let center = MessageCenter()
    private let token: ObservationToken
    private let posts = 2_000_000
    private let rounds = 5

    init() {
        token = center.observe(Tick.self) { _ in }
    }

    /// Returns the best rate of two threads divided by the best rate of one thread.
    func speedup() -> Double {
        _ = rate(threads: 1)
        let rates = (0..<rounds).map { _ in (rate(threads: 1), rate(threads: 2)) }
        guard let one = rates.map(\.0).max(), let two = rates.map(\.1).max() else { return .nan }
        return two / one
    }

    /// Returns the posts per nanosecond, from the first to the last post of all threads.
    private func rate(threads: Int) -> Double {
        let arrived = Counter()
        let times = Mutex<[(begin: ContinuousClock.Instant, end: ContinuousClock.Instant)]>([])
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                center.post(Tick(number: 0))
                arrived.value.add(1, ordering: .relaxed)
                while arrived.value.load(ordering: .relaxed) < threads {}
                let time = post()
                times.withLock { $0.append(time) }
                done.signal()
            }
        }
        for _ in 0..<threads { done.wait() }
        let (begin, end) = times.withLock { ($0.map(\.begin).min(), $0.map(\.end).max()) }
        guard let begin, let end else { return .nan }
        return Double(threads * posts) / begin.duration(to: end).nanoseconds
    }

    @inline(never)
    private func post() -> (begin: ContinuousClock.Instant, end: ContinuousClock.Instant) {
        let begin = ContinuousClock.now
        for number in 0..<posts { center.post(Tick(number: number)) }
        return (begin, ContinuousClock.now)
    }
}

private final class Counter: Sendable {
    let value = Atomic(0)
}
