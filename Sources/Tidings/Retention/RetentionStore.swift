// SPDX-License-Identifier: Apache-2.0

/// The messages that one channel retains, as a value.
///
/// The store releases no element. Elements that are no longer retained are returned to the caller.
struct RetentionStore<Element: Sendable>: Sendable {
    /// The identity of a message's subject, or nil without a subject.
    typealias Subject = ObjectIdentifier?

    /// One message and its place among all messages that this store ever retained.
    struct Entry: Sendable {
        let serial: UInt64
        let element: Element
    }

    /// The newest messages of each subject, oldest first.
    private var newest: [Subject: [Entry]] = [:]
    /// The messages that no handler has received, oldest first.
    private(set) var waiting: [Entry] = []
    private var lastSerial: UInt64 = 0
    private var newestCount = 0
    private var sweepSize = Self.leastSweepSize
    /// Changes whenever `waiting` does.
    private(set) var version = 0

    /// The minimum number of messages before a search for expired subjects.
    private static var leastSweepSize: Int { 64 }

    /// All messages, in the order of their posts.
    var entries: [Entry] {
        (newest.values.joined() + waiting).sorted { $0.serial < $1.serial }
    }

    /// The newest messages of all subjects in order, without the waiting messages.
    var newestEntries: [Entry] {
        newest.values.joined().sorted { $0.serial < $1.serial }
    }

    /// Whether a search for elements with an expired subject is due.
    var isDueForSweep: Bool { newestCount >= sweepSize }

    mutating func makeSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Keeps an element as the newest one about a subject.
    ///
    /// - Returns: The elements beyond the limit.
    mutating func keep(_ element: Element, about subject: Subject, atMost limit: Int) -> [Element] {
        var entries = newest[subject].take() ?? []
        newestCount -= entries.count
        entries.append(Entry(serial: makeSerial(), element: element))
        let surplus = max(0, entries.count - limit)
        let dropped = entries.prefix(surplus).map(\.element)
        entries.removeFirst(surplus)
        newestCount += entries.count
        newest[subject] = entries
        return dropped
    }

    /// Adds a waiting element, in the order of the serial numbers.
    mutating func wait(_ entry: Entry) {
        let index = waiting.lastIndex { $0.serial < entry.serial }.map { $0 + 1 } ?? 0
        waiting.insert(entry, at: index)
        version += 1
    }

    /// Removes and returns the elements that have waited longest.
    mutating func takeWaiting(atMost limit: Int) -> [Entry] {
        let taken = Array(waiting.prefix(limit))
        waiting.removeFirst(taken.count)
        if !taken.isEmpty { version += 1 }
        return taken
    }

    /// Removes and returns the waiting elements whose serial number is in `serials`.
    mutating func takeWaiting(_ serials: Set<UInt64>) -> [Entry] {
        let taken = waiting.filter { serials.contains($0.serial) }
        waiting.removeAll { serials.contains($0.serial) }
        if !taken.isEmpty { version += 1 }
        return taken
    }

    /// Removes and returns the newest elements whose serial number is in `serials`.
    ///
    /// The subjects of these elements have expired.
    mutating func removeNewest(_ serials: Set<UInt64>) -> [Element] {
        var removed: [Element] = []
        for (subject, entries) in newest {
            let left = entries.filter { !serials.contains($0.serial) }
            guard left.count < entries.count else { continue }
            for entry in entries where serials.contains(entry.serial) {
                removed.append(entry.element)
            }
            newest[subject] = left.isEmpty ? nil : left
        }
        newestCount -= removed.count
        sweepSize = max(Self.leastSweepSize, 2 * newestCount)
        return removed
    }

    /// Removes and returns every element that was posted so far.
    mutating func clear() -> [Element] {
        defer {
            newest = [:]
            waiting = []
            newestCount = 0
            sweepSize = Self.leastSweepSize
            version += 1
        }
        return entries.map(\.element)
    }
}
