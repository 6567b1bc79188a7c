// SPDX-License-Identifier: Apache-2.0

extension UserNotificationCenter.Inbox {
    /// Takes over the changes that other processes have made to the stored notifications.
    ///
    /// - Parameter stored: The notifications in the store.
    /// - Returns: The effects to carry out; nothing has to be saved.
    mutating func share(_ stored: [DeliveredNotification]) -> Effects {
        var effects = Effects()
        let identifiers = Set(stored.map(\.notification.identifier))
        for entry in list.removeMissing(in: Set(stored.map(\.notification.id))) {
            effects.isListChanged = true
            let id = entry.notification.id
            // A daemon may show a replacement by another process under the same ID.
            if entry.owner == owner, entry.isShown, !identifiers.contains(id.identifier) {
                close(id, &effects)
            }
        }
        for entry in stored where entry.owner != owner {
            let id = entry.notification.id
            guard list.number(of: id.identifier) == nil, queues[id.identifier] == nil,
                !list.hasRemoved(id)
            else { continue }
            list.insert(entry, isStored: true)
            effects.isListChanged = true
        }
        return effects
    }
}
