// SPDX-License-Identifier: Apache-2.0

/// Registrations in the order in which they are called.
///
/// A value: a post takes a copy, which costs one reference count, and everything that changes
/// later happens to another copy. Whoever removes gets the removed entry back, because its last
/// reference must be dropped after the lock was left.
struct Roster: Sendable {
    struct Entry: Sendable {
        let record: ObservationRecord
        /// A `Registration` of the type that `record.input` identifies.
        let registration: any AnyObject & Sendable
    }

    private(set) var entries: ContiguousArray<Entry> = []
    private var ownedCount = 0
    private var mainCount = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    var hasMain: Bool { mainCount > 0 }

    mutating func insert<Input>(_ registration: Registration<Input>) {
        let record = registration.record
        entries.insert(
            Entry(record: record, registration: registration),
            at: position(of: record.rank)
        )
        if record.isOwned { ownedCount += 1 }
        if record.isMain { mainCount += 1 }
    }

    mutating func remove(_ record: ObservationRecord) -> Entry? {
        let position = position(of: record.rank)
        guard position < entries.count, entries[position].record === record else { return nil }
        if record.isOwned { ownedCount -= 1 }
        if record.isMain { mainCount -= 1 }
        return entries.remove(at: position)
    }

    /// Those whose owner has died.
    ///
    /// Looking takes each owner for a moment and may be what releases it: never under a lock.
    func orphans() -> [ObservationRecord] {
        guard ownedCount > 0 else { return [] }
        return entries.lazy.map(\.record).filter(\.isOrphan)
    }

    /// The index of the first entry that is not called before `rank`.
    private func position(of rank: Rank) -> Int {
        guard let last = entries.last, rank <= last.record.rank else { return entries.count }
        var range = entries.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if entries[middle].record.rank < rank {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
