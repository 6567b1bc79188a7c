// SPDX-License-Identifier: Apache-2.0

/// What a run knows better than the store.
struct DeliveredChange: Sendable {
    let list: DeliveredList.Changes
    let badge: Int
    let allowed: AuthorizationOptions?
    let limit: Int

    /// Makes a record know it.
    ///
    /// What was delivered takes the place of what others have under the same identifiers, since it
    /// is written later. What has only changed stays away if others have put something in its place.
    func apply(to record: inout NotificationRecord) {
        record.badge = badge
        record.allowed = allowed ?? record.allowed
        guard !list.isEmpty else { return }
        let replaced = Set(list.added.map(\.notification.identifier))
        let newer = Dictionary(list.changed.map { ($0.notification.id, $0.forDisk) }) { $1 }
        record.delivered = record.delivered.compactMap { entry in
            let id = entry.notification.id
            if list.gone.contains(id) || replaced.contains(id.identifier) { return nil }
            return newer[id] ?? entry
        }
        record.delivered += list.added.map(\.forDisk)
        record.delivered.sort { $0.notification.id.number < $1.notification.id.number }
        record.delivered.removeFirst(max(0, record.delivered.count - limit))
    }
}
