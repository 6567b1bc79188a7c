// SPDX-License-Identifier: Apache-2.0

/// The pending events of one client.
///
/// For each slot, only the latest event remains.
///
/// A client that reads slowly, or not at all, holds at most one event per slot, and gets the
/// present state when the client reads again.
struct EventQueue: Sendable {
    private typealias Slot = ServerEvent.Slot

    private struct PendingEvent {
        let number: Int
        var bytes: [UInt8]
    }

    private struct Entry {
        let slot: Slot
        let number: Int
    }

    private var latest: [Slot: PendingEvent] = [:]
    /// The entries in sending order.
    ///
    /// `dequeue` skips an entry if the event was dropped.
    private var order: [Entry] = []
    private var head = 0
    private var lastNumber = 0

    /// The number of pending events.
    var count: Int { latest.count }

    /// The number of entries, including entries of dropped events.
    var queueLength: Int { order.count - head }

    /// Adds an event and drops the events that it supersedes.
    mutating func enqueue(_ event: ServerEvent) {
        let number = event.slot.number
        switch event.slot.kind {
        case .items:
            latest = latest.filter { slot, _ in !slot.isAboutItems }
        case .item:
            latest[Slot(kind: .progress, number: number)] = nil
            latest[Slot(kind: .playback, number: number)] = nil
            latest[Slot(kind: .removed, number: number)] = nil
        case .removed:
            latest[Slot(kind: .item, number: number)] = nil
            latest[Slot(kind: .progress, number: number)] = nil
            latest[Slot(kind: .playback, number: number)] = nil
        case .progress, .playback:
            if latest[Slot(kind: .removed, number: number)] != nil { return }
        case .hello, .counts, .queue, .connectivity, .catalog, .notification,
            .preferences, .report, .feeds, .collections, .devices, .machines, .activity, .post,
            nil:
            break
        }
        if latest[event.slot] == nil {
            order.append(makeEntry(for: event))
        } else {
            latest[event.slot]?.bytes = event.bytes
        }
        compactIfNeeded()
    }

    /// Inserts the events of a snapshot before all others.
    ///
    /// These events supersede no other event.
    ///
    /// Skips an event if the slot already has a pending event, because the pending event is newer.
    mutating func prepend(_ events: [ServerEvent]) {
        let events = events.filter { latest[$0.slot] == nil }
        order = events.map { makeEntry(for: $0) } + order[head...]
        head = 0
    }

    /// Removes the next event and returns the bytes, or nil if the queue is empty.
    mutating func dequeue() -> [UInt8]? {
        while head < order.count {
            let entry = order[head]
            head += 1
            if isLive(entry) { return latest.removeValue(forKey: entry.slot)?.bytes }
        }
        order.removeAll(keepingCapacity: order.count < 64)
        head = 0
        return nil
    }

    private mutating func makeEntry(for event: ServerEvent) -> Entry {
        lastNumber += 1
        latest[event.slot] = PendingEvent(number: lastNumber, bytes: event.bytes)
        return Entry(slot: event.slot, number: lastNumber)
    }

    private func isLive(_ entry: Entry) -> Bool {
        latest[entry.slot]?.number == entry.number
    }

    private mutating func compactIfNeeded() {
        guard order.count - head > 2 * latest.count + 16 || head > 1_024 else { return }
        order = order[head...].filter { isLive($0) }
        head = 0
    }
}

extension ServerEvent.Slot {
    fileprivate var isAboutItems: Bool {
        switch kind {
        case .items, .item, .progress, .playback, .removed: true
        case .hello, .counts, .queue, .connectivity, .catalog, .notification, .preferences, .report,
            .feeds, .collections, .devices, .machines, .activity, .post, nil:
            false
        }
    }
}
