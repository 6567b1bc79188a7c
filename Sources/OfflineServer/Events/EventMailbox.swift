// SPDX-License-Identifier: Apache-2.0

/// What one client has yet to be told: of every item only the latest, whatever happened meanwhile.
///
/// So a client that reads slowly, or not at all, costs at most one event for each item, and when
/// it reads again it gets the present and not the past.
struct EventMailbox: Sendable {
    private struct Waiting {
        let place: Int
        var bytes: [UInt8]
    }

    private struct Place {
        let slot: ServerEvent.Slot
        let number: Int
    }

    private var latest: [ServerEvent.Slot: Waiting] = [:]
    /// The places in the order to be sent; one whose event was dropped is skipped.
    private var order: [Place] = []
    private var head = 0
    private var lastPlace = 0

    /// The number of events waiting.
    var count: Int { latest.count }

    /// The length of the queue, obsolete places included.
    var waitingPlaces: Int { order.count - head }

    /// Adds an event, in place of what it makes obsolete.
    mutating func put(_ event: ServerEvent) {
        switch event.slot {
        case .items:
            latest = latest.filter { slot, _ in !slot.isAboutItems }
        case .item(let id):
            latest[.progress(id)] = nil
            latest[.removed(id)] = nil
        case .removed(let id):
            latest[.item(id)] = nil
            latest[.progress(id)] = nil
        case .progress(let id) where latest[.removed(id)] != nil:
            return
        default:
            break
        }
        if latest[event.slot] == nil {
            order.append(makePlace(for: event))
        } else {
            latest[event.slot]?.bytes = event.bytes
        }
        compactIfNeeded()
    }

    /// Adds events before all others, as they are: the state in which a client begins, to which
    /// the changes that happened meanwhile then come.
    ///
    /// What waits already of the same slot is newer, and stays in place of them.
    mutating func putFirst(_ events: [ServerEvent]) {
        let events = events.filter { latest[$0.slot] == nil }
        order = events.map { makePlace(for: $0) } + order[head...]
        head = 0
    }

    /// Takes the next event's bytes out.
    mutating func next() -> [UInt8]? {
        while head < order.count {
            let place = order[head]
            head += 1
            if isLive(place) { return latest.removeValue(forKey: place.slot)?.bytes }
        }
        order.removeAll(keepingCapacity: order.count < 64)
        head = 0
        return nil
    }

    private mutating func makePlace(for event: ServerEvent) -> Place {
        lastPlace += 1
        latest[event.slot] = Waiting(place: lastPlace, bytes: event.bytes)
        return Place(slot: event.slot, number: lastPlace)
    }

    private func isLive(_ place: Place) -> Bool {
        latest[place.slot]?.place == place.number
    }

    private mutating func compactIfNeeded() {
        guard order.count - head > 2 * latest.count + 16 || head > 1_024 else { return }
        order = order[head...].filter { isLive($0) }
        head = 0
    }
}

extension ServerEvent.Slot {
    fileprivate var isAboutItems: Bool {
        switch self {
        case .items, .item, .progress, .removed: true
        case .hello, .notifications, .preferences, .reports, .queue, .connectivity, .catalogue,
            .activity, .post, .keepAlive:
            false
        }
    }
}
