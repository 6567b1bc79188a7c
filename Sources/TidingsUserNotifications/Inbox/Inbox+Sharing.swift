// SPDX-License-Identifier: Apache-2.0

extension UserNotificationCenter.Inbox {
    /// Takes over the changes that other processes have made to the stored notifications.
    ///
    /// - Parameter stored: The notifications in the store.
    /// - Returns: The effects to carry out. Nothing has to be saved.
    mutating func share(_ stored: [DeliveredNotification]) -> Effects {
        var effects = Effects()
        for entry in list.removeMissing(in: Set(stored.map(\.notification.id))) {
            effects.isListChanged = true
            if entry.owner == owner, entry.isShown { superseded.append(entry) }
        }
        if !superseded.isEmpty { closeSuperseded(by: stored, &effects) }
        for entry in stored { adopt(entry, &effects) }
        return effects
    }

    /// Lists an entry of another run, or takes over the newest form of a listed entry.
    private mutating func adopt(_ entry: DeliveredNotification, _ effects: inout Effects) {
        let id = entry.notification.id
        if let index = list.index(of: id) {
            var newest = entry
            if entry.owner == owner {
                // Another process only marks the entry as read.
                newest = list.entries[index]
                newest.notification.isRead = entry.notification.isRead
            }
            if list.refresh(newest, at: index) { effects.isListChanged = true }
        } else if entry.owner != owner, list.entry(of: id.identifier) == nil, !list.hasRemoved(id) {
            list.insert(entry, isStored: true)
            effects.isListChanged = true
        }
    }

    /// Closes the notifications of this run that another process has removed or replaced.
    ///
    /// A daemon may show the replacement under the same ID, and the replacement must not be closed.
    /// The notification therefore stays until the handle of the replacement is known.
    private mutating func closeSuperseded(
        by stored: [DeliveredNotification],
        _ effects: inout Effects
    ) {
        let present = Dictionary(stored.map { ($0.notification.identifier, $0) }) { $1 }
        let candidates = superseded
        superseded = []
        for entry in candidates {
            let id = entry.notification.id
            if hasNewer(than: id) { continue }
            let other = present[id.identifier]
            if let other, other.isShown, other.handle == nil, entry.handle != nil {
                superseded.append(entry)
            } else if entry.handle == nil || other?.handle != entry.handle {
                close(id, &effects)
            }
        }
    }
}
