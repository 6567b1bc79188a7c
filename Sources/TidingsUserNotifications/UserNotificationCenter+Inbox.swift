// SPDX-License-Identifier: Apache-2.0

extension UserNotificationCenter.Inbox {
    func index(of delivery: NotificationDelivery) -> Int? {
        entries.firstIndex { $0.notification.id == delivery }
    }

    /// Lists entries in place of earlier ones, in the order of their numbers.
    mutating func list(_ added: [DeliveredNotification]) -> Aftermath {
        var aftermath = Aftermath(isListChanged: !added.isEmpty)
        for entry in added {
            let id = entry.notification.id
            let others = entries.filter { $0.notification.identifier == id.identifier }
            if others.contains(where: { $0.notification.id.number > id.number }) { continue }
            entries.removeAll { $0.notification.identifier == id.identifier }
            let place = entries.lastIndex { $0.notification.id.number < id.number }
            entries.insert(entry, at: place.map { $0 + 1 } ?? 0)
        }
        while entries.count > limit {
            dropped += 1
            close(entries.removeFirst().notification.id, &aftermath)
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
        var aftermath = list(record.delivered)
        // Nothing of it is this run's to close.
        aftermath.started = []
        var shown: [ShownNotification] = []
        for index in entries.indices where !isAlive(entries[index].owner) {
            entries[index].owner = owner
            guard entries[index].isShown else { continue }
            if let handle = entries[index].handle {
                let notification = entries[index].notification
                shown.append(ShownNotification(notification: notification, handle: handle))
            } else {
                entries[index].isShown = false
            }
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
            guard let index = index(of: delivery) else { continue }
            entries[index].handle = handles[delivery]
            entries[index].isShown = handles[delivery] != nil
            if !entries[index].isShown { gone.append(entries[index].notification) }
        }
        return gone
    }

    /// Notes whether a notification is shown, unless its end was told already.
    mutating func note(
        _ delivery: NotificationDelivery,
        isShown: Bool,
        _ handle: NotificationHandle?
    ) {
        guard let index = index(of: delivery), entries[index].isShown else { return }
        entries[index].isShown = isShown
        entries[index].handle = isShown ? handle : nil
    }

    /// Notes that a notification is not shown any more; nil when that is no news.
    mutating func end(
        _ delivery: NotificationDelivery,
        _ reason: NotificationCloseReason
    ) -> (notification: UserNotification, aftermath: Aftermath)? {
        guard let index = index(of: delivery), entries[index].isShown else { return nil }
        let notification = entries[index].notification
        guard reason == .dismissed else {
            entries[index].isShown = false
            entries[index].handle = nil
            return (notification, Aftermath())
        }
        entries.remove(at: index)
        return (notification, Aftermath(isListChanged: true))
    }
}
