// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Runs `body` in threads of its own, each with its number, and returns what each returned.
///
/// A thread is gone when this returns: what its end costs is in nobody else's count.
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
        precondition(result == 0, "The system has no thread left.")
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

/// Threads that wait for each other without the allocator's or the scheduler's help.
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
