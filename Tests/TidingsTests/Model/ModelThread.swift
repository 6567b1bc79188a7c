// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization
import TidingsLock

@testable import Tidings

/// One thread of a program, as seen by the code on the thread.
final class ModelThread {
    /// The events of the thread, which other threads read only after the hand-over.
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

    /// Runs scripts simultaneously on separate threads until all have ended.
    static func runAll(
        _ scripts: [[ModelOperation]],
        in run: ModelRun,
        firstIndex: Int
    ) async {
        let start = DispatchSemaphore(value: 0)
        let running = Running(count: scripts.count)
        await withCheckedContinuation { continuation in
            for (index, script) in scripts.enumerated() {
                // The thread releases the closure some time after this code has resumed the caller,
                // and the run must be gone by then.
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
        // The thread's value is set for as long as this code keeps the object.
        pthread_setspecific(key, Unmanaged.passUnretained(thread).toOpaque())
        withExtendedLifetime(thread) { run.perform(script) }
        pthread_setspecific(key, nil)
        run.log.handOver(thread.entries, of: index)
    }

    private final class Running: Sendable {
        private let count: Lock<Int>

        init(count: Int) { self.count = Lock(count) }

        /// Returns whether the thread was the last.
        func endOne() -> Bool {
            count.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }
}
