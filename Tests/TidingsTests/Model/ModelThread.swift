// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization

@testable import Tidings

/// One thread of a program, as the code that it runs sees it.
final class ModelThread {
    /// What it did, read by others only after it handed it over.
    var entries: [ModelLog.Entry] = []

    private static let key = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0)
        return key
    }()

    private init() {
        entries.reserveCapacity(4_096)
    }

    /// The thread of a program that the caller runs on.
    static var current: ModelThread? {
        pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `bodies` at the same time, each on a thread of its own, until all have ended.
    static func runAll(_ bodies: [@Sendable () -> Void], log: ModelLog) async {
        let start = DispatchSemaphore(value: 0)
        let running = Running(count: bodies.count)
        await withCheckedContinuation { continuation in
            for (index, body) in bodies.enumerated() {
                Thread {
                    start.wait()
                    log.handOver(run(body), of: index)
                    if running.endOne() { continuation.resume() }
                }.start()
            }
            for _ in bodies { start.signal() }
        }
    }

    private static func run(_ body: () -> Void) -> [ModelLog.Entry] {
        let thread = ModelThread()
        // The thread's value is set for as long as the object is kept here.
        pthread_setspecific(key, Unmanaged.passUnretained(thread).toOpaque())
        withExtendedLifetime(thread, body)
        pthread_setspecific(key, nil)
        return thread.entries
    }

    private final class Running: Sendable {
        private let count: Lock<Int>

        init(count: Int) { self.count = Lock(count) }

        /// Says whether it was the last.
        func endOne() -> Bool {
            count.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }
}
