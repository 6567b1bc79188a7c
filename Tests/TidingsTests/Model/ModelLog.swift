// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

@testable import Tidings

/// What happened in a run, thread by thread, with stamps of one clock.
///
/// Threads share nothing but the clock, and the clock orders nothing for the thread sanitizer: a
/// log with a lock would order the very accesses in which it looks for races.
final class ModelLog: Sendable {
    struct Entry: Hashable, Sendable {
        let stamp: Int
        let event: ModelEvent
    }

    private let clock = Atomic(0)
    /// Written by threads of the program when they end, and by all others as it happens.
    private let entries: Lock<[[Entry]]>

    /// - Parameter threads: How many threads the program has, that of its setup included.
    init(threads: Int) {
        entries = Lock(Array(repeating: [], count: threads + 1))
    }

    /// The entries of each thread of the program, and at last those of all others: of the main
    /// actor, or of the one thread that runs a sequential program.
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

    /// The next stamp.
    ///
    /// The fences keep what was done before and after on its side of the stamp. They order it
    /// for the processor, while a stronger exchange would also order it for the sanitizer.
    private func now() -> Int {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let stamp = clock.wrappingAdd(1, ordering: .relaxed).newValue
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return stamp
    }
}
