// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The entries of a family by key.
///
/// Keys are the user's code, so they are hashed, compared and released outside the lock. A change
/// applies to a copy, and is repeated if another change was stored first.
final class FamilyTable<Key: Hashable & Sendable, Entry: AnyObject & Sendable>: Sendable {
    private struct State {
        var entries: [Key: Entry] = [:]
        var version = 0
    }

    private let state = Lock(State())

    /// All current entries.
    var all: [Key: Entry] { state.withLock { $0.entries } }

    func value(of key: Key) -> Entry? { all[key] }

    /// Replaces the entry `found`, or returns false if the table now holds a different entry.
    func replace(_ found: Entry?, by entry: Entry, at key: Key) -> Bool {
        change { entries in
            guard entries[key] === found else { return false }
            entries[key] = entry
            return true
        }
    }

    /// Removes the entries for which a closure returns true.
    func removeAll(where isRemoved: (Entry) -> Bool) {
        _ = change { entries in
            let count = entries.count
            entries = entries.filter { !isRemoved($0.value) }
            return entries.count < count
        }
    }

    private func change(_ body: (inout [Key: Entry]) -> Bool) -> Bool {
        while true {
            let (entries, version) = state.withLock { ($0.entries, $0.version) }
            var changed = entries
            guard body(&changed) else { return false }
            let new = changed
            // The replaced table is released outside the lock, because the release also releases
            // keys.
            let replaced = state.withLock { state -> [Key: Entry]? in
                guard state.version == version else { return nil }
                defer { state = State(entries: new, version: version + 1) }
                return state.entries
            }
            if replaced != nil { return true }
        }
    }
}
