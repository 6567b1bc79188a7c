// SPDX-License-Identifier: Apache-2.0
import Foundation

extension NotificationRecord {
    /// Lists what a killed run was sending, and marks what it has listed without knowing that it
    /// was shown.
    mutating func list(
        _ lost: [NotificationSchedule.Due],
        as owner: String,
        from number: Int,
        at date: Date
    ) -> (lost: [DeliveredNotification], doubtful: Set<NotificationDelivery>) {
        var found: (lost: [DeliveredNotification], doubtful: Set<NotificationDelivery>) = ([], [])
        for due in lost {
            guard let index = delivered.firstIndex(where: due.hasBecome) else {
                let next = number + found.lost.count
                found.lost.append(due.listed(number: next, owner: owner, at: date))
                continue
            }
            guard delivered[index].isDoubtful else { continue }
            delivered[index].notification = delivered[index].notification.overdue
            found.doubtful.insert(delivered[index].notification.id)
        }
        let replaced = Set(found.lost.map(\.notification.identifier))
        delivered.removeAll { replaced.contains($0.notification.identifier) }
        delivered += found.lost
        return found
    }
}

extension NotificationSchedule.Due {
    /// Whether an entry is what sending this has led to, and not an earlier time of the same.
    fileprivate func hasBecome(_ entry: DeliveredNotification) -> Bool {
        entry.scheduleNumber == number && entry.notification.date >= since
    }

    /// As it is listed when nobody knows whether it was shown.
    fileprivate func listed(number: Int, owner: String, at date: Date) -> DeliveredNotification {
        let notification = UserNotification(
            id: NotificationDelivery(identifier: request.identifier, number: number),
            content: request.content,
            date: date,
            presentation: [],
            isOverdue: true
        )
        return DeliveredNotification(
            notification: notification,
            isShown: false,
            owner: owner,
            scheduleNumber: self.number
        )
    }
}
