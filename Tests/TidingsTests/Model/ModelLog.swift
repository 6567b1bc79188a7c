// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

@testable import Tidings

/// The events of a run, thread by thread, with stamps of one clock.
///
/// Threads share nothing but the clock, and the clock orders nothing for the thread sanitizer. A
/// log with a lock would order the very accesses in which the sanitizer looks for races.
final class ModelLog: Sendable {
    struct Entry: Hashable, Sendable {
        let stamp: Int
        let event: ModelEvent
    }

    private let clock = Atomic(0)
    /// The entries, written by program threads when they end, and by other threads immediately.
    private let entries: Lock<[[Entry]]>

    /// - Parameter threads: The number of threads of the program, including the setup's thread.
    init(threads: Int) {
        entries = Lock(Array(repeating: [], count: threads + 1))
    }

    /// The entries of each thread of the program, followed by the entries of all other threads.
    ///
    /// Other threads are the main actor's, or the one thread that runs a sequential program.
    var all: [[Entry]] { entries.withLock { $0 } }

    func record(_ event: ModelEvent) {
        if let thread = ModelThread.current {
            thread.entries.append(Entry(stamp: now(), event: event))
        } else {
            entries.withLock { $0[$0.count - 1].append(Entry(stamp: now(), event: event)) }
        }
    }

    func handOver(_ written: [Entry], of thread: Int) {
        entries.withLock { $0[thread] = written }
    }

    /// Returns the next stamp.
    ///
    /// The fences keep earlier and later accesses on their side of the stamp. Fences order accesses
    /// for the processor, while a stronger exchange would also order accesses for the sanitizer.
    private func now() -> Int {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let stamp = clock.wrappingAdd(1, ordering: .relaxed).newValue
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return stamp
    }
}
