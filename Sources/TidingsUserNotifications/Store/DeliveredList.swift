// SPDX-License-Identifier: Apache-2.0

/// What is delivered, in the order of its numbers, and what of that the store does not know yet.
///
/// Numbers grow from delivery to delivery and from run to run, so that one is found by its number.
struct DeliveredList {
    /// What the store does not know.
    struct Changes: Sendable {
        /// What it does not have.
        var added: [DeliveredNotification] = []
        /// What it has in another form.
        var changed: [DeliveredNotification] = []
        var gone: Set<NotificationDelivery> = []

        var isEmpty: Bool { added.isEmpty && changed.isEmpty && gone.isEmpty }
    }

    /// The oldest first.
    private(set) var entries: [DeliveredNotification] = []
    private(set) var unreadCount = 0
    private var numbers: [String: Int] = [:]
    /// What the store has or will have, by number.
    private var known: Set<Int> = []
    private var changed: Set<Int> = []
    private var gone: Set<NotificationDelivery> = []

    var identifiers: some Sequence<String> { numbers.keys }

    func index(of delivery: NotificationDelivery) -> Int? {
        guard numbers[delivery.identifier] == delivery.number else { return nil }
        return place(of: delivery.number)
    }

    func number(of identifier: String) -> Int? { numbers[identifier] }

    /// Adds an entry where its number belongs; its identifier must not be there.
    mutating func insert(_ entry: DeliveredNotification, isKnown: Bool = false) {
        let id = entry.notification.id
        entries.insert(entry, at: place(of: id.number))
        numbers[id.identifier] = id.number
        if !entry.notification.isRead { unreadCount += 1 }
        if isKnown { known.insert(id.number) } else { changed.insert(id.number) }
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
        if known.remove(id.number) != nil { gone.insert(id) }
        return entry
    }

    /// Removes what has an identifier, and says whether anything has.
    mutating func remove(_ identifier: String) -> Bool {
        guard let number = numbers[identifier] else { return false }
        remove(at: place(of: number))
        return true
    }

    /// Notes that the store has what is not listed.
    mutating func forget(_ deliveries: [NotificationDelivery]) {
        gone.formUnion(deliveries)
    }

    /// Takes what the store does not know yet, the oldest first.
    mutating func takeChanges() -> Changes {
        defer {
            known.formUnion(changed)
            changed = []
            gone = []
        }
        var changes = Changes(gone: gone)
        for number in changed.sorted() {
            let entry = entries[place(of: number)]
            if known.contains(number) {
                changes.changed.append(entry)
            } else {
                changes.added.append(entry)
            }
        }
        return changes
    }

    /// Takes changes back that the store could not keep.
    mutating func untake(_ changes: Changes) {
        gone.formUnion(changes.gone)
        for id in changes.added.map(\.notification.id) {
            known.remove(id.number)
            if index(of: id) == nil { gone.remove(id) } else { changed.insert(id.number) }
        }
        for id in changes.changed.map(\.notification.id) where index(of: id) != nil {
            changed.insert(id.number)
        }
    }

    /// The index of the first entry with this number or a later one.
    private func place(of number: Int) -> Int {
        var (low, high) = (0, entries.count)
        // What comes is nearly always the newest.
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
