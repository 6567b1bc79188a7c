// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The entries of a family by key.
///
/// Keys are the user's code, so they are hashed, compared and released outside the lock: a change
/// is made to a copy, and made again if another one came first.
final class FamilyTable<Key: Hashable & Sendable, Entry: AnyObject & Sendable>: Sendable {
    private struct State {
        var entries: [Key: Entry] = [:]
        var version = 0
    }

    private let state = Lock(State())

    /// All entries of this moment.
    var all: [Key: Entry] { state.withLock { $0.entries } }

    func value(of key: Key) -> Entry? { all[key] }

    /// Puts an entry in the place of the one that was found there; false if there is another one.
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
            // The replaced table leaves the lock, because releasing it releases keys.
            let replaced = state.withLock { state -> [Key: Entry]? in
                guard state.version == version else { return nil }
                defer { state = State(entries: new, version: version + 1) }
                return state.entries
            }
            if replaced != nil { return true }
        }
    }
}
