// SPDX-License-Identifier: Apache-2.0

/// The delivered notifications, sorted by number, and the changes that are not saved yet.
///
/// Numbers grow with each delivery and each run, so that a binary search finds an entry.
struct DeliveredList {
    /// The changes that the store does not have yet.
    struct Changes: Sendable {
        /// New entries.
        var added: [DeliveredNotification] = []
        /// Entries that the store has in an older form.
        var changed: [DeliveredNotification] = []
        var removed: Set<NotificationDelivery> = []

        var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
    }

    /// The entries, the oldest first.
    private(set) var entries: [DeliveredNotification] = []
    private(set) var unreadCount = 0
    private var numbers: [String: Int] = [:]
    /// The numbers of the entries that the store has, or will have after the current write.
    private var stored: Set<Int> = []
    private var changed: Set<Int> = []
    private var removed: Set<NotificationDelivery> = []

    var identifiers: some Sequence<String> { numbers.keys }

    func index(of delivery: NotificationDelivery) -> Int? {
        guard numbers[delivery.identifier] == delivery.number else { return nil }
        return position(of: delivery.number)
    }

    func entry(of identifier: String) -> DeliveredNotification? {
        numbers[identifier].map { entries[position(of: $0)] }
    }

    /// Inserts an entry at the position of the entry's number.
    ///
    /// The list must not contain the identifier yet.
    mutating func insert(_ entry: DeliveredNotification, isStored: Bool = false) {
        let id = entry.notification.id
        entries.insert(entry, at: position(of: id.number))
        numbers[id.identifier] = id.number
        if !entry.notification.isRead { unreadCount += 1 }
        if isStored { stored.insert(id.number) } else { changed.insert(id.number) }
    }

    mutating func change(at index: Int, _ body: (inout DeliveredNotification) -> Void) {
        let wasRead = entries[index].notification.isRead
        body(&entries[index])
        if entries[index].notification.isRead != wasRead { unreadCount += wasRead ? 1 : -1 }
        changed.insert(entries[index].notification.id.number)
    }

    @discardableResult
    mutating func remove(at index: Int) -> DeliveredNotification {
        let entry = entries.remove(at: index)
        let id = entry.notification.id
        numbers[id.identifier] = nil
        if !entry.notification.isRead { unreadCount -= 1 }
        changed.remove(id.number)
        if stored.remove(id.number) != nil { removed.insert(id) }
        return entry
    }

    /// Removes the entry with an identifier.
    ///
    /// Returns whether the list contained the entry.
    mutating func remove(_ identifier: String) -> Bool {
        guard let number = numbers[identifier] else { return false }
        remove(at: position(of: number))
        return true
    }

    /// Removes deliveries that are in the store but not in this list, with the next save.
    mutating func removeFromStore(_ deliveries: [NotificationDelivery]) {
        removed.formUnion(deliveries)
    }

    /// Removes and returns the entries that the store no longer has.
    ///
    /// Entries that are not saved yet stay.
    mutating func removeMissing(in present: Set<NotificationDelivery>) -> [DeliveredNotification] {
        let missing = entries.indices.filter { index in
            let id = entries[index].notification.id
            return stored.contains(id.number) && !present.contains(id)
        }
        return missing.reversed().map { index in
            let entry = remove(at: index)
            removed.remove(entry.notification.id)
            return entry
        }
    }

    /// Takes over the newest form of an entry from the store, unless the entry has an unsaved
    /// change.
    ///
    /// Returns whether the read mark changed.
    mutating func refresh(_ entry: DeliveredNotification, at index: Int) -> Bool {
        guard !changed.contains(entry.notification.id.number) else { return false }
        let wasRead = entries[index].notification.isRead
        entries[index] = entry
        guard entry.notification.isRead != wasRead else { return false }
        unreadCount += wasRead ? 1 : -1
        return true
    }

    /// Whether an entry is removed from this list, but not from the store yet.
    func hasRemoved(_ delivery: NotificationDelivery) -> Bool { removed.contains(delivery) }

    /// Returns the unsaved changes, the oldest first, and marks them as saved.
    mutating func drainChanges() -> Changes {
        defer {
            stored.formUnion(changed)
            changed = []
            removed = []
        }
        var changes = Changes(removed: removed)
        for number in changed.sorted() {
            let entry = entries[position(of: number)]
            if stored.contains(number) {
                changes.changed.append(entry)
            } else {
                changes.added.append(entry)
            }
        }
        return changes
    }

    /// Marks changes as unsaved again after their write failed.
    mutating func restoreChanges(_ changes: Changes) {
        removed.formUnion(changes.removed)
        for id in changes.added.map(\.notification.id) {
            stored.remove(id.number)
            if index(of: id) == nil { removed.remove(id) } else { changed.insert(id.number) }
        }
        for id in changes.changed.map(\.notification.id) where index(of: id) != nil {
            changed.insert(id.number)
        }
    }

    /// Returns the index of the first entry with this number or a higher one.
    private func position(of number: Int) -> Int {
        var (low, high) = (0, entries.count)
        // Nearly every new entry is the newest.
        if let last = entries.last, last.notification.id.number < number { return high }
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].notification.id.number < number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
