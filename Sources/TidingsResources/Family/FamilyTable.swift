// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The entries of a family by key.
///
/// Keys are the user's code, so they are hashed, compared and released outside the lock. The lock
/// protects buckets of keys with the same hash value. A bucket never changes: a change replaces the
/// bucket, and is repeated if another change of the bucket was stored first. The cost of a change
/// is therefore independent of the number of entries.
final class FamilyTable<Key: Hashable & Sendable, Entry: AnyObject & Sendable>: Sendable {
    private final class Bucket: Sendable {
        let pairs: [(key: Key, entry: Entry)]

        init(_ pairs: [(key: Key, entry: Entry)]) { self.pairs = pairs }

        func entry(at key: Key) -> Entry? { pairs.first { $0.key == key }?.entry }
    }

    private let buckets = Lock<[Int: Bucket]>([:])

    /// All current entries with the keys.
    var all: [(key: Key, entry: Entry)] {
        buckets.withLock { $0 }.values.flatMap { $0.pairs }
    }

    /// Returns the entry of a key with that hash value.
    func entry(at key: Key, _ hash: Int) -> Entry? {
        buckets.withLock { $0[hash] }?.entry(at: key)
    }

    /// Replaces the entry `found`, or returns false if the table now holds a different entry.
    func replace(_ found: Entry?, by entry: Entry, at key: Key, _ hash: Int) -> Bool {
        change(hash) { pairs in
            let index = pairs.firstIndex { $0.key == key }
            guard index.map({ pairs[$0].entry }) === found else { return false }
            if let index { pairs[index].entry = entry } else { pairs.append((key, entry)) }
            return true
        }
    }

    /// Removes an entry whose key has that hash value.
    func remove(_ entry: Entry, _ hash: Int) {
        _ = change(hash) { pairs in
            guard let index = pairs.firstIndex(where: { $0.entry === entry }) else { return false }
            pairs.remove(at: index)
            return true
        }
    }

    private func change(_ hash: Int, _ body: (inout [(key: Key, entry: Entry)]) -> Bool) -> Bool {
        while true {
            let bucket = buckets.withLock { $0[hash] }
            var pairs = bucket?.pairs ?? []
            guard body(&pairs) else { return false }
            let new = pairs.isEmpty ? nil : Bucket(pairs)
            let isStored = buckets.withLock { buckets in
                guard buckets[hash] === bucket else { return false }
                buckets[hash] = new
                return true
            }
            // The keys of the replaced bucket are released here, outside the lock.
            withExtendedLifetime(bucket) {}
            if isStored { return true }
        }
    }
}
