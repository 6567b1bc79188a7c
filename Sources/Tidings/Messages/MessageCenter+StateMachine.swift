// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// What a post found when it was called.
    struct Route: Sendable {
        let recipients: ContiguousArray<Registration>
        let hasOwned: Bool
        let hasMain: Bool
        let isWatched: Bool

        /// Whether there is nothing to do but to call handlers on this thread.
        var isDirect: Bool { !hasMain && !isWatched }
    }

    /// Who observes what: one roster per message type, found by the type's identity.
    ///
    /// An open-addressing table instead of a dictionary, because hashing a key with the standard
    /// hasher costs more than everything else a post does.
    struct Registry: Sendable {
        private var keys: ContiguousArray<UInt> = [0, 0, 0, 0, 0, 0, 0, 0]
        private var rosters = ContiguousArray(repeating: Roster(), count: 8)
        private var used = 0
        /// Those who are told of every post.
        var watchers = Roster()

        /// The recipients of a type; nil for one that nobody ever observed.
        func roster(of type: ObjectIdentifier) -> Roster? {
            let slot = slot(of: Self.key(type))
            return keys[slot] == 0 ? nil : rosters[slot]
        }

        /// What a post of a type must do; nil if nobody is there.
        func route(of type: ObjectIdentifier) -> Route? {
            let slot = slot(of: Self.key(type))
            if rosters[slot].isEmpty, watchers.isEmpty { return nil }
            return Route(
                recipients: rosters[slot].registrations,
                hasOwned: rosters[slot].hasOwned,
                hasMain: rosters[slot].hasMain,
                isWatched: !watchers.isEmpty
            )
        }

        /// Adds a recipient and returns the new roster of its type.
        mutating func insert(_ registration: Registration) -> Roster {
            let slot = usedSlot(of: Self.key(registration.record.input))
            rosters[slot].insert(registration)
            return rosters[slot]
        }

        /// Takes a recipient out; the caller drops it after it has left the lock.
        mutating func remove(_ record: ObservationRecord) -> Registration? {
            if record.input == Self.watcherInput { return watchers.remove(record) }
            let slot = slot(of: Self.key(record.input))
            return keys[slot] == 0 ? nil : rosters[slot].remove(record)
        }

        private static let watcherInput = ObjectIdentifier(MessagePosting.self)

        private static func key(_ type: ObjectIdentifier) -> UInt {
            UInt(bitPattern: type)
        }

        private mutating func usedSlot(of key: UInt) -> Int {
            let found = slot(of: key)
            guard keys[found] == 0 else { return found }
            used += 1
            if used * 2 > keys.count { grow() }
            let slot = slot(of: key)
            keys[slot] = key
            return slot
        }

        /// The slot that holds `key`, or the empty one where it belongs.
        ///
        /// At most half are used, so there is one.
        private func slot(of key: UInt) -> Int {
            let mask = keys.count - 1
            // Metadata is aligned, so the low bits say nothing: mix, then take high ones.
            var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
            while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & mask }
            return slot
        }

        private mutating func grow() {
            let (oldKeys, oldRosters) = (keys, rosters)
            keys = ContiguousArray(repeating: 0, count: oldKeys.count * 2)
            rosters = ContiguousArray(repeating: Roster(), count: oldKeys.count * 2)
            for (key, roster) in zip(oldKeys, oldRosters) where key != 0 {
                let slot = slot(of: key)
                keys[slot] = key
                rosters[slot] = roster
            }
        }
    }
}
