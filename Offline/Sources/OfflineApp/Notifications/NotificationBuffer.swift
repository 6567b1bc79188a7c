// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

/// The events that wait for delivery, in order.
///
/// The buffer drops the oldest events above a limit.
///
/// Events of other machines have a separate limit, so that no event of this machine is displaced.
struct NotificationBuffer {
    private struct Entry {
        let event: LibraryNotifications.Event
        let isElsewhere: Bool
    }

    private let limit: Int
    private let limitElsewhere: Int
    private var entries: [Entry] = []
    private var countElsewhere = 0
    /// The number of dropped events.
    private(set) var dropped = 0

    init(limit: Int, limitElsewhere: Int) {
        self.limit = limit
        self.limitElsewhere = limitElsewhere
    }

    mutating func append(_ event: LibraryNotifications.Event) {
        let isElsewhere = event.isElsewhere
        entries.append(Entry(event: event, isElsewhere: isElsewhere))
        if isElsewhere { countElsewhere += 1 }
        let (count, limit) =
            isElsewhere
            ? (countElsewhere, limitElsewhere) : (entries.count - countElsewhere, limit)
        guard count > limit,
            let oldest = entries.firstIndex(where: { $0.isElsewhere == isElsewhere })
        else { return }
        entries.remove(at: oldest)
        if isElsewhere { countElsewhere -= 1 }
        dropped += 1
    }

    /// Removes and returns the oldest event.
    mutating func next() -> LibraryNotifications.Event? {
        guard !entries.isEmpty else { return nil }
        let entry = entries.removeFirst()
        if entry.isElsewhere { countElsewhere -= 1 }
        return entry.event
    }
}

extension LibraryNotifications.Event {
    fileprivate var isElsewhere: Bool {
        guard case .deliver(let request) = self else { return false }
        return request.content.thread == LibraryNotifications.elsewhere
    }
}
