// SPDX-License-Identifier: Apache-2.0

/// The changes of a run that the store does not have yet.
struct UnsavedChanges: Sendable {
    let list: DeliveredList.Changes
    /// The badge, or nil if this run has not changed the badge.
    let badge: Int?
    let allowed: UserNotificationAuthorizationOptions?
    let limit: Int
    /// The name of this run.
    let owner: String

    /// Applies the changes to a record.
    ///
    /// New entries replace entries of other processes with the same identifiers, because new
    /// entries are written later. Changed entries are dropped if another process has written newer
    /// ones. In the entries of another run, this run only sets the read mark.
    func apply(to record: inout NotificationRecord) {
        record.badge = badge ?? record.badge
        if let allowed { record.allowed = (record.allowed ?? []).union(allowed) }
        guard !list.isEmpty else { return }
        let replaced = Set(list.added.map(\.notification.identifier))
        let newer = Dictionary(list.changed.map { ($0.notification.id, $0.storedForm) }) { $1 }
        record.delivered = record.delivered.compactMap { entry in
            let id = entry.notification.id
            if list.removed.contains(id) || replaced.contains(id.identifier) { return nil }
            guard let newer = newer[id] else { return entry }
            guard entry.owner != owner else { return newer }
            var entry = entry
            entry.notification.isRead = entry.notification.isRead || newer.notification.isRead
            return entry
        }
        record.delivered += list.added.map(\.storedForm)
        record.delivered.sort { $0.notification.id.number < $1.notification.id.number }
        record.delivered.removeFirst(max(0, record.delivered.count - limit))
    }
}
