// SPDX-License-Identifier: Apache-2.0
import CTidingsAllocations
import Synchronization

extension AllocationReport {
    /// Counts cases with known results, because a counter that misses allocations would pass all
    /// tests.
    mutating func checkTheCounter() {
        count("nothing, self-check") {}
        count("one object, self-check", expecting: 1) { Escape.shared.store(Object()) }
        count("an array of 100, self-check", expecting: 1) {
            Escape.shared.store([Int](repeating: 1, count: 100))
        }
        let functions = Int(tidings_allocate_in_every_way())
        count("each function of the allocator, self-check", expecting: functions) {
            _ = tidings_allocate_in_every_way()
        }
        var chain: Link?
        countLeft("one object that stays, self-check", in: 1_000...1_000) {
            chain = Link(next: chain)
        }
        withExtendedLifetime(chain) {}
        checkThatThreadsAreSeparate()
    }

    /// Counts on an idle thread while another thread allocates.
    private mutating func checkThatThreadsAreSeparate() {
        let (begin, end) = (Barrier(2), Barrier(2))
        let counts = inThreads(2) { number in
            allocationsOfThread {
                begin.wait()
                if number == 0 {
                    for _ in 0..<AllocationReport.calls { Escape.shared.store(Object()) }
                }
                end.wait()
            }
        }
        add(
            "allocations: by a busy thread, self-check",
            counts[0],
            "in 1,000",
            expecting: Self.calls
        )
        add("allocations: by an idle thread meanwhile", counts[1], "in 1,000", expecting: 0)
    }
}

private final class Object: Sendable {}

private final class Link: Sendable {
    let next: Link?

    init(next: Link?) {
        self.next = next
    }
}

/// A global that stores objects, so that the compiler cannot remove the allocations.
private final class Escape: Sendable {
    static let shared = Escape()

    private let object = Mutex<(any Sendable)?>(nil)

    @inline(never)
    func store(_ value: any Sendable) {
        object.withLock { $0 = value }
    }
}
