// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization
import TidingsLock

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

    /// Runs scripts at the same time, each on a thread of its own, until all have ended.
    static func runAll(
        _ scripts: [[ModelOperation]],
        in run: ModelRun,
        firstIndex: Int
    ) async {
        let start = DispatchSemaphore(value: 0)
        let running = Running(count: scripts.count)
        await withCheckedContinuation { continuation in
            for (index, script) in scripts.enumerated() {
                // The thread lets go of its closure some time after it was resumed from here, and
                // the run must be gone by then.
                Thread { [unowned run] in
                    start.wait()
                    perform(script, in: run, index: firstIndex + index)
                    if running.endOne() { continuation.resume() }
                }.start()
            }
            for _ in scripts { start.signal() }
        }
    }

    private static func perform(_ script: [ModelOperation], in run: ModelRun, index: Int) {
        let thread = ModelThread()
        // The thread's value is set for as long as the object is kept here.
        pthread_setspecific(key, Unmanaged.passUnretained(thread).toOpaque())
        withExtendedLifetime(thread) { run.perform(script) }
        pthread_setspecific(key, nil)
        run.log.handOver(thread.entries, of: index)
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
