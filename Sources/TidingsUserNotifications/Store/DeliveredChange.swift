// SPDX-License-Identifier: Apache-2.0

/// What a run knows better than the store.
struct DeliveredChange: Sendable {
    let changed: [DeliveredNotification]
    let gone: Set<NotificationDelivery>
    let badge: Int
    let allowed: AuthorizationOptions?
    let limit: Int

    func apply(to record: inout NotificationRecord) {
        record.badge = badge
        record.allowed = allowed ?? record.allowed
        guard !changed.isEmpty || !gone.isEmpty else { return }
        let numbers = Set(gone.map(\.number))
        record.delivered.removeAll { entry in
            let id = entry.notification.id
            if numbers.contains(id.number), gone.contains(id) { return true }
            return changed.contains { newer in
                newer.notification.id.number >= id.number
                    && newer.notification.identifier == id.identifier
            }
        }
        record.delivered += changed.map(\.forDisk)
        record.delivered.sort { $0.notification.id.number < $1.notification.id.number }
        record.delivered.removeFirst(max(0, record.delivered.count - limit))
    }
}
