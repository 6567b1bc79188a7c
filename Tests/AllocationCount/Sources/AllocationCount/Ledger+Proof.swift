// SPDX-License-Identifier: Apache-2.0
import CTidingsAllocations
import Synchronization

extension Ledger {
    /// Cases whose counts are known: a counter that misses allocations shows nothing at all.
    mutating func proveThatItCounts() {
        count("nothing, as a proof") {}
        count("one object, as a proof", expecting: 1) { Kept.shared.keep(Object()) }
        count("an array of 100, as a proof", expecting: 1) {
            Kept.shared.keep([Int](repeating: 1, count: 100))
        }
        let ways = Int(tidings_allocate_in_every_way())
        count("each function of the allocator, as a proof", expecting: ways) {
            _ = tidings_allocate_in_every_way()
        }
        var chain: Link?
        countLeft("one object that stays, as a proof", in: 1_000...1_000) {
            chain = Link(next: chain)
        }
        withExtendedLifetime(chain) {}
        proveThatThreadsAreApart()
    }

    /// One thread allocates while another one counts its own.
    private mutating func proveThatThreadsAreApart() {
        let (begin, end) = (Barrier(2), Barrier(2))
        let counts = inThreads(2) { number in
            allocationsOfThread {
                begin.wait()
                if number == 0 {
                    for _ in 0..<Ledger.calls { Kept.shared.keep(Object()) }
                }
                end.wait()
            }
        }
        add(
            "allocations: by a busy thread, as a proof",
            counts[0],
            "in 1,000",
            expecting: Self.calls
        )
        add("allocations: by an idle one meanwhile", counts[1], "in 1,000", expecting: 0)
    }
}

private final class Object: Sendable {}

private final class Link: Sendable {
    let next: Link?

    init(next: Link?) {
        self.next = next
    }
}

/// Where something can be seen by others, so that the compiler cannot do without it.
private final class Kept: Sendable {
    static let shared = Kept()

    private let object = Mutex<(any Sendable)?>(nil)

    @inline(never)
    func keep(_ kept: any Sendable) {
        object.withLock { $0 = kept }
    }
}
