// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Runs `body` in new threads, each with a number, and returns the results.
///
/// The function joins the threads, so that the cost of their exit is in no later count.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Int) -> [Int] {
    let threads = (0..<count).map { number in
        let run = Run { body(number) }
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Run>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(run).toOpaque()
        )
        precondition(result == 0, "The system cannot create another thread.")
        return (thread, run)
    }
    return threads.map { thread, run in
        pthread_join(thread, nil)
        return run.result.load(ordering: .relaxed)
    }
}

private final class Run: Sendable {
    let result = Atomic(-1)
    private let body: @Sendable () -> Int

    init(_ body: @escaping @Sendable () -> Int) {
        self.body = body
    }

    func run() {
        result.store(body(), ordering: .relaxed)
    }
}

/// A barrier for threads that uses neither the allocator nor the scheduler.
final class Barrier: Sendable {
    private let count: Int
    private let arrived = Atomic(0)

    init(_ count: Int) {
        self.count = count
    }

    func wait() {
        arrived.add(1, ordering: .relaxed)
        while arrived.load(ordering: .relaxed) < count {}
    }
}
