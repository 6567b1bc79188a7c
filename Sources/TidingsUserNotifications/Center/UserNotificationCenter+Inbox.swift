// SPDX-License-Identifier: Apache-2.0

extension UserNotificationCenter.Inbox {
    /// Lists entries in place of earlier ones, in the order of their numbers.
    mutating func add(
        _ added: [DeliveredNotification],
        isKnown: Bool = false
    ) -> Aftermath {
        var aftermath = Aftermath(isListChanged: !added.isEmpty)
        for entry in added {
            let id = entry.notification.id
            if let other = list.number(of: id.identifier), other >= id.number { continue }
            _ = list.remove(id.identifier)
            list.insert(entry, isKnown: isKnown)
        }
        while list.entries.count > limit {
            dropped += 1
            close(list.remove(at: 0).notification.id, &aftermath)
        }
        return aftermath
    }

    /// Takes over what earlier runs have delivered, and begins to number behind them.
    ///
    /// - Returns: What follows, and what may still be seen and has nobody who hears of it.
    mutating func adopt(
        _ record: NotificationRecord,
        run: Int,
        isAlive: (String) -> Bool
    ) -> (aftermath: Aftermath, shown: [ShownNotification]) {
        // Numbers of one run never reach those of the next.
        lastNumber = max(lastNumber, run << 32)
        firstNumber = run << 32
        // What was posted before this could be read is newer.
        let present = Set(list.identifiers).union(lines.keys)
        let isPresent = { (entry: DeliveredNotification) in
            present.contains(entry.notification.identifier)
        }
        list.forget(record.delivered.filter(isPresent).map(\.notification.id))
        let left = record.delivered.filter { !isPresent($0) }
        var aftermath = add(left, isKnown: true)
        // Nothing of it is this run's to close.
        aftermath.started = []
        var shown: [ShownNotification] = []
        for (index, entry) in list.entries.enumerated() where !isAlive(entry.owner) {
            list.change(at: index) { changed in
                changed.owner = owner
                changed.isShown = entry.isShown && entry.handle != nil
            }
            guard entry.isShown, let handle = entry.handle else { continue }
            shown.append(ShownNotification(notification: entry.notification, handle: handle))
        }
        if let early = removedEarly {
            removedEarly = nil
            let removed = remove(early.among(Set(left.map(\.notification.identifier))))
            aftermath.started += removed.started
            aftermath.isListChanged = aftermath.isListChanged || removed.isListChanged
        }
        return (aftermath, shown)
    }

    /// Notes what of an earlier run can still be seen, and returns what cannot.
    mutating func restore(
        _ shown: [ShownNotification],
        _ handles: [NotificationDelivery: NotificationHandle]
    ) -> [UserNotification] {
        var gone: [UserNotification] = []
        for delivery in shown.map(\.notification.id) {
            guard let index = list.index(of: delivery) else { continue }
            let handle = handles[delivery]
            list.change(at: index) { changed in
                changed.handle = handle
                changed.isShown = handle != nil
            }
            if handle == nil { gone.append(list.entries[index].notification) }
        }
        return gone
    }

    /// Marks as overdue what a killed run may not have shown, and says whether that is listed.
    mutating func markOverdue(_ deliveries: Set<NotificationDelivery>) -> Bool {
        let places = deliveries.compactMap(list.index)
        for place in places {
            list.change(at: place) { $0.notification = $0.notification.overdue }
        }
        return !places.isEmpty
    }

    /// Notes whether a notification is shown, unless its end was told already.
    mutating func note(
        _ delivery: NotificationDelivery,
        isShown: Bool,
        _ handle: NotificationHandle?
    ) {
        guard let index = list.index(of: delivery), list.entries[index].isShown else { return }
        if isShown, handle == nil { return }
        list.change(at: index) { changed in
            changed.isShown = isShown
            changed.handle = isShown ? handle : nil
        }
    }

    /// Notes that a notification is not shown any more; nil when that is no news.
    mutating func end(
        _ delivery: NotificationDelivery,
        _ reason: NotificationCloseReason
    ) -> (notification: UserNotification, aftermath: Aftermath)? {
        guard let index = list.index(of: delivery), list.entries[index].isShown else { return nil }
        let notification = list.entries[index].notification
        guard reason == .dismissed else {
            list.change(at: index) { changed in
                changed.isShown = false
                changed.handle = nil
            }
            return (notification, Aftermath())
        }
        list.remove(at: index)
        return (notification, Aftermath(isListChanged: true))
    }
}
