// SPDX-License-Identifier: Apache-2.0

extension UserNotificationCenter.Inbox {
    /// Lists entries, sorted by number, in place of earlier entries with the same identifiers.
    ///
    /// The numbers of two simultaneous runs do not show which entry is later, so a new entry of
    /// this run replaces an entry of another run in any case.
    mutating func add(
        _ added: [DeliveredNotification],
        isStored: Bool = false
    ) -> Effects {
        var effects = Effects(isListChanged: !added.isEmpty)
        for entry in added {
            let id = entry.notification.id
            if let other = list.entry(of: id.identifier), isStored || other.owner == owner,
                other.notification.id.number >= id.number
            {
                continue
            }
            _ = list.remove(id.identifier)
            list.insert(entry, isStored: isStored)
        }
        while list.entries.count > limit {
            close(list.remove(at: 0).notification.id, &effects)
        }
        return effects
    }

    /// Takes over the deliveries of earlier runs, and continues their numbering.
    ///
    /// - Returns: The effects to carry out, and the possibly visible notifications of ended runs.
    mutating func adopt(
        _ record: NotificationRecord,
        run: Int,
        isAlive: (String) -> Bool
    ) -> (effects: Effects, shown: [ShownNotification]) {
        // Each run has a separate range of numbers.
        lastNumber = max(lastNumber, run << 32)
        firstNumber = run << 32
        // Requests posted before the record was loaded are newer.
        let present = Set(list.identifiers).union(queues.keys)
        let isPresent = { (entry: DeliveredNotification) in
            present.contains(entry.notification.identifier)
        }
        list.removeFromStore(record.delivered.filter(isPresent).map(\.notification.id))
        let left = record.delivered.filter { !isPresent($0) }
        var effects = add(left, isStored: true)
        // This run does not close notifications of other runs.
        effects.started = []
        var shown: [ShownNotification] = []
        for (index, entry) in list.entries.enumerated() where !isAlive(entry.owner) {
            list.change(at: index) { changed in
                changed.owner = owner
                changed.isShown = entry.isShown && entry.handle != nil
            }
            guard entry.isShown, let handle = entry.handle else { continue }
            shown.append(ShownNotification(notification: entry.notification, handle: handle))
        }
        if let deferred = deferredRemovals {
            deferredRemovals = nil
            let removed = remove(deferred.matching(Set(left.map(\.notification.identifier))))
            effects.started += removed.started
            effects.isListChanged = effects.isListChanged || removed.isListChanged
        }
        return (effects, shown)
    }

    /// Sets which notifications of an earlier run are still visible, and returns the invisible
    /// ones.
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

    /// Marks notifications as overdue that a killed run may not have shown.
    ///
    /// - Returns: Whether any of these notifications is listed.
    mutating func markOverdue(_ deliveries: Set<NotificationDelivery>) -> Bool {
        let indices = deliveries.compactMap(list.index)
        for index in indices {
            list.change(at: index) { $0.notification = $0.notification.overdue }
        }
        return !indices.isEmpty
    }

    /// Sets whether a notification is shown, unless the backend has already closed the
    /// notification.
    mutating func setShown(
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

    /// Marks a visible notification as no longer shown, or returns nil for an invisible one.
    mutating func end(
        _ delivery: NotificationDelivery,
        _ reason: UserNotificationCloseReason
    ) -> (notification: UserNotification, effects: Effects)? {
        guard let index = list.index(of: delivery), list.entries[index].isShown else { return nil }
        let notification = list.entries[index].notification
        guard reason == .dismissed else {
            list.change(at: index) { changed in
                changed.isShown = false
                changed.handle = nil
            }
            return (notification, Effects())
        }
        list.remove(at: index)
        return (notification, Effects(isListChanged: true))
    }
}
