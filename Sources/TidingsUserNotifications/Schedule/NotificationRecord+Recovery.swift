// SPDX-License-Identifier: Apache-2.0
import Foundation

extension NotificationRecord {
    /// Lists the requests that a killed run was sending, and marks listed ones as overdue if
    /// nothing proves that they were shown.
    mutating func list(
        _ lost: [NotificationSchedule.DueRequest],
        as owner: String,
        from number: Int,
        at date: Date
    ) -> (lost: [DeliveredNotification], uncertain: Set<NotificationDelivery>) {
        var found: (lost: [DeliveredNotification], uncertain: Set<NotificationDelivery>) = ([], [])
        for due in lost {
            guard let index = delivered.firstIndex(where: due.produced) else {
                let next = number + found.lost.count
                found.lost.append(due.listed(number: next, owner: owner, at: date))
                continue
            }
            guard delivered[index].isUncertain else { continue }
            delivered[index].notification = delivered[index].notification.overdue
            found.uncertain.insert(delivered[index].notification.id)
        }
        let replaced = Set(found.lost.map(\.notification.identifier))
        delivered.removeAll { replaced.contains($0.notification.identifier) }
        delivered += found.lost
        return found
    }
}

extension NotificationSchedule.DueRequest {
    /// Whether an entry comes from this delivery of the request, and not from an earlier one.
    fileprivate func produced(_ entry: DeliveredNotification) -> Bool {
        entry.scheduleNumber == number && entry.notification.date >= since
    }

    /// Returns the entry to list if nothing proves that the notification was shown.
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
