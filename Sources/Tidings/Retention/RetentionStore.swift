// SPDX-License-Identifier: Apache-2.0

/// What one channel retains, as a value.
///
/// Nothing of an element is released in here: what is no longer retained leaves with the result.
struct RetentionStore<Element: Sendable>: Sendable {
    /// What messages are about; nil for nothing.
    typealias Subject = ObjectIdentifier?

    /// One message and its place among all that were ever retained here.
    struct Entry: Sendable {
        let serial: UInt64
        let element: Element
    }

    /// The newest ones of each subject, oldest first.
    private var newest: [Subject: [Entry]] = [:]
    /// Those that nobody was handed, oldest first.
    private(set) var waiting: [Entry] = []
    private var lastSerial: UInt64 = 0
    private var newestCount = 0
    private var sweepSize = Self.leastSweepSize
    /// Changes whenever `waiting` does.
    private(set) var version = 0

    /// How many are kept, at least, before those are looked for whose subject has died.
    private static var leastSweepSize: Int { 64 }

    /// Everything, in the order in which it was posted.
    var entries: [Entry] {
        (newest.values.joined() + waiting).sorted { $0.serial < $1.serial }
    }

    /// The newest ones of all subjects, without those that wait, in order.
    var newestEntries: [Entry] {
        newest.values.joined().sorted { $0.serial < $1.serial }
    }

    /// Whether it is time to look for elements whose subject has died.
    var isDueForSweep: Bool { newestCount >= sweepSize }

    mutating func makeSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Keeps an element as the newest of its subject; returns those that are too many then.
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

    /// Keeps an element until somebody takes it, in the place that its serial number says.
    mutating func wait(_ entry: Entry) {
        let index = waiting.lastIndex { $0.serial < entry.serial }.map { $0 + 1 } ?? 0
        waiting.insert(entry, at: index)
        version += 1
    }

    /// Takes those out that have waited longest.
    mutating func takeWaiting(atMost limit: Int) -> [Entry] {
        let taken = Array(waiting.prefix(limit))
        waiting.removeFirst(taken.count)
        if !taken.isEmpty { version += 1 }
        return taken
    }

    /// Takes those out that wait under one of `serials`.
    mutating func takeWaiting(_ serials: Set<UInt64>) -> [Entry] {
        let taken = waiting.filter { serials.contains($0.serial) }
        waiting.removeAll { serials.contains($0.serial) }
        if !taken.isEmpty { version += 1 }
        return taken
    }

    /// Forgets those under `serials`, which their subject has outlived; returns them.
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

    /// Forgets everything that was posted so far; returns it.
    mutating func clear() -> [Element] {
        defer {
            newest = [:]
            waiting = []
            newestCount = 0
            version += 1
        }
        return entries.map(\.element)
    }
}
