// SPDX-License-Identifier: Apache-2.0

/// Registrations in the order in which they are called.
///
/// A value: a post takes a copy, which costs one reference count, and everything that changes
/// later happens to another copy. Whoever removes gets the removed registration back, because its
/// last reference must be dropped after the lock was left.
struct Roster: Sendable {
    private(set) var registrations: ContiguousArray<Registration> = []
    private var ownedCount = 0
    private var mainCount = 0

    var isEmpty: Bool { registrations.isEmpty }
    var count: Int { registrations.count }
    var hasOwned: Bool { ownedCount > 0 }
    var hasMain: Bool { mainCount > 0 }

    mutating func insert(_ registration: Registration) {
        let record = registration.record
        registrations.insert(registration, at: position(of: record.rank))
        if record.isOwned { ownedCount += 1 }
        if record.isMain { mainCount += 1 }
    }

    mutating func remove(_ record: ObservationRecord) -> Registration? {
        let position = position(of: record.rank)
        guard position < count, registrations[position].record === record else { return nil }
        if record.isOwned { ownedCount -= 1 }
        if record.isMain { mainCount -= 1 }
        return registrations.remove(at: position)
    }

    /// Those whose owner has died.
    ///
    /// Looking takes each owner for a moment and may be what releases it: never under a lock.
    func orphans() -> [ObservationRecord] {
        hasOwned ? registrations.orphans() : []
    }

    /// The index of the first registration that is not called before `rank`.
    private func position(of rank: Rank) -> Int {
        guard let last = registrations.last, rank <= last.record.rank else { return count }
        var range = registrations.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if registrations[middle].record.rank < rank {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}

extension ContiguousArray<Registration> {
    /// Those whose owner has died; never asked under a lock.
    func orphans() -> [ObservationRecord] {
        lazy.map(\.record).filter(\.isOrphan)
    }
}
