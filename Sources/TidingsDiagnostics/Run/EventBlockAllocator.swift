// SPDX-License-Identifier: Apache-2.0

/// Assigns the blocks of an event log to events, as a ring.
///
/// Consecutive events occupy adjacent blocks, so an evicted event and its neighbor free contiguous
/// space.
struct EventBlockAllocator {
    struct Allocation: Equatable {
        let block: Int
        let count: Int
        let sequence: UInt64
        /// Whether only another fatal event can evict this event.
        let isFatal: Bool

        fileprivate var end: Int { block + count }
    }

    private let blocks: Int
    private var free: Int
    private var fatalCount = 0
    /// The allocations, sorted by block.
    private(set) var allocations: [Allocation] = []
    /// The block where the next search starts.
    private var next = 0

    init(blocks: Int) {
        self.blocks = blocks
        free = blocks
    }

    /// Allocates blocks for an event, evicting older events as needed.
    ///
    /// - Returns: The allocation and the evicted allocations. If the event does not fit even then,
    ///   the result is nil and nothing is evicted.
    mutating func add(
        _ sequence: UInt64,
        count: Int,
        isFatal: Bool
    ) -> (allocation: Allocation, dropped: [Allocation])? {
        var dropped: [Allocation] = []
        var start = free < count ? nil : gap(of: count, in: allocations)
        if start == nil {
            let lasting = isFatal || fatalCount == 0 ? [] : allocations.filter(\.isFatal)
            guard gap(of: count, in: lasting) != nil else { return nil }
        }
        while start == nil,
            let oldest = allocations.indices.min(by: { allocations[$0] < allocations[$1] })
        {
            dropped.append(remove(at: oldest))
            start = gap(of: count, in: allocations)
        }
        guard let start else { return nil }
        let allocation = Allocation(
            block: start,
            count: count,
            sequence: sequence,
            isFatal: isFatal
        )
        allocations.insert(
            allocation,
            at: allocations.firstIndex { $0.block > start } ?? allocations.count
        )
        free -= count
        fatalCount += isFatal ? 1 : 0
        next = allocation.end
        return (allocation, dropped)
    }

    /// Frees the blocks of an event and returns the allocation, or nil if the event was evicted
    /// before.
    mutating func remove(_ sequence: UInt64) -> Allocation? {
        allocations.firstIndex { $0.sequence == sequence }.map { remove(at: $0) }
    }

    /// Returns the oldest event with a higher sequence number.
    func first(after sequence: UInt64) -> Allocation? {
        allocations.lazy.filter { $0.sequence > sequence }.min { $0.sequence < $1.sequence }
    }

    private mutating func remove(at index: Int) -> Allocation {
        let allocation = allocations.remove(at: index)
        free += allocation.count
        fatalCount -= allocation.isFatal ? 1 : 0
        return allocation
    }

    /// Returns the start of a free range of `count` blocks, preferably right after the newest
    /// event.
    private func gap(of count: Int, in allocations: [Allocation]) -> Int? {
        var lower: Int?
        var start = 0
        for index in 0...allocations.count {
            let end = index < allocations.count ? allocations[index].block : blocks
            let behind = max(start, next)
            if end - behind >= count { return behind }
            if lower == nil, end - start >= count { lower = start }
            if index < allocations.count { start = allocations[index].end }
        }
        return lower
    }
}

extension EventBlockAllocator.Allocation {
    /// Whether the left event is evicted before the right event.
    fileprivate static func < (left: Self, right: Self) -> Bool {
        (left.isFatal ? 1 : 0, left.sequence) < (right.isFatal ? 1 : 0, right.sequence)
    }
}
