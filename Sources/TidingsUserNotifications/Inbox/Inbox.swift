// SPDX-License-Identifier: Apache-2.0
import Foundation

extension UserNotificationCenter {
    /// The delivered notifications and the queued requests, as a value.
    ///
    /// Each identifier has at most one queue, which holds the running operation and the next one. A
    /// new operation replaces a waiting one, so that two racing requests end as one visible
    /// notification, the later one.
    struct Inbox {
        /// A request that is queued or being delivered.
        struct QueuedRequest {
            let delivery: NotificationDelivery
            var content: UserNotificationContent
            let promise: OutcomePromise
            var isOverdue = false
            /// The number of the scheduled request, or nil if the request was not scheduled.
            var scheduleNumber: Int?
            /// The features that are left out because a file could not be copied.
            var degraded: UserNotificationFeatures = []
        }

        enum Operation {
            case show(QueuedRequest)
            case close
        }

        /// The work that the caller carries out after releasing the lock.
        struct Effects {
            /// The identifiers whose queues have an operation but no running task.
            var started: [String] = []
            /// The promises of requests that were replaced before they started.
            var replaced: [OutcomePromise] = []
            /// Whether the list of delivered notifications changed.
            var isListChanged = false
        }

        struct IdentifierQueue {
            /// The request that is being shown, if any.
            var current: QueuedRequest?
            var next: Operation?
        }

        let limit: Int
        var list = DeliveredList()
        /// The name of the run that delivers.
        let owner: String
        private(set) var badge = 0
        /// Whether the store does not have this run's badge yet.
        private var isBadgeUnsaved = false
        var categories: [String: UserNotificationCategory] = [:]
        private(set) var queues: [String: IdentifierQueue] = [:]
        var lastNumber = 0
        /// The first number of this run, or 0 until the record is loaded.
        var firstNumber = 0
        /// Removals and replacements from before the record was loaded, or nil after that.
        var deferredRemovals: DeferredRemovals? = DeferredRemovals()
        /// Visible notifications of this run that another process has replaced in the store.
        var superseded: [DeliveredNotification] = []

        init(limit: Int, owner: String = "") {
            self.limit = limit
            self.owner = owner
        }

        var delivered: [UserNotification] { list.entries.map(\.notification) }
        var unreadCount: Int { list.unreadCount }

        mutating func post(
            _ request: UserNotificationRequest,
            _ promise: OutcomePromise,
            isOverdue: Bool = false,
            scheduleNumber: Int? = nil
        ) -> Effects {
            let number = reserveNumbers(1)
            let queued = QueuedRequest(
                delivery: NotificationDelivery(identifier: request.identifier, number: number),
                content: request.content,
                promise: promise,
                isOverdue: isOverdue,
                scheduleNumber: scheduleNumber
            )
            var effects = Effects()
            enqueue(.show(queued), for: request.identifier, &effects)
            return effects
        }

        /// Reserves consecutive numbers and returns the first.
        mutating func reserveNumbers(_ count: Int) -> Int {
            defer { lastNumber += count }
            return lastNumber + 1
        }

        /// Continues after all numbers that were assigned before a date.
        ///
        /// Several processes may do this in the same minute, so each starts at a different number.
        mutating func startNumbers(at date: Date) {
            let minute = Int(min(max(date.timeIntervalSince1970 / 60, 0), 1e9))
            let first = Int(UInt32(truncatingIfNeeded: owner.hashValue) >> 1)
            lastNumber = max(lastNumber, minute << 32 + first)
        }

        /// Removes and returns the next operation of a queue, or ends the queue and returns nil.
        mutating func nextOperation(for identifier: String) -> Operation? {
            guard let operation = queues[identifier]?.next else {
                queues[identifier] = nil
                return nil
            }
            if case .show(let queued) = operation {
                queues[identifier] = IdentifierQueue(current: queued)
            } else {
                queues[identifier] = IdentifierQueue()
            }
            return operation
        }

        /// Replaces the request that is being shown.
        mutating func update(_ queued: QueuedRequest) {
            let identifier = queued.delivery.identifier
            guard queues[identifier]?.current?.delivery == queued.delivery else { return }
            queues[identifier]?.current = queued
        }

        /// The attachments of delivered notifications and of queued requests.
        var attachments: [UserNotificationPicture] {
            let undelivered = queues.values.flatMap { queue in
                var attachments = queue.current?.content.attachments ?? []
                if case .show(let queued)? = queue.next {
                    attachments += queued.content.attachments
                }
                return attachments
            }
            return undelivered + list.entries.flatMap(\.notification.content.attachments)
        }

        /// The notification that a queued request is about to become.
        func draft(of queued: QueuedRequest, at date: Date) -> UserNotification {
            let category = queued.content.category.flatMap { categories[$0] }
            return UserNotification(
                id: queued.delivery,
                content: queued.content,
                actions: queued.content.actions ?? category?.actions ?? [],
                options: category?.options ?? [],
                date: date,
                presentation: [],
                isOverdue: queued.isOverdue
            )
        }

        /// Lists a notification in place of an earlier one, or returns nil if a newer operation is
        /// queued.
        mutating func deliver(
            _ notification: UserNotification,
            scheduleNumber: Int? = nil
        ) -> Effects? {
            guard queues[notification.identifier]?.next == nil else { return nil }
            let entry = DeliveredNotification(
                notification: notification,
                // The backend may report the end of the notification before the call of `show`
                // returns.
                isShown: !notification.presentation.isEmpty,
                owner: owner,
                scheduleNumber: scheduleNumber
            )
            deferredRemovals?.add([notification.identifier])
            if let count = notification.content.badge { setBadge(count) }
            return add([entry])
        }

        /// Accepts one response, or returns nil if the delivery was removed, replaced or responded
        /// to.
        mutating func respond(
            to delivery: NotificationDelivery
        ) -> (notification: UserNotification, effects: Effects)? {
            guard let index = list.index(of: delivery) else { return nil }
            var effects = Effects(isListChanged: true)
            let notification = list.remove(at: index).notification
            close(delivery, &effects)
            return (notification, effects)
        }

        /// Removes delivered and queued notifications, where nil means all.
        mutating func remove(_ identifiers: Set<String>?) -> Effects {
            var effects = Effects()
            deferredRemovals?.add(identifiers)
            let known = Set(queues.keys).union(list.identifiers)
            for identifier in identifiers.map(known.intersection) ?? known {
                if list.remove(identifier) { effects.isListChanged = true }
                enqueue(.close, for: identifier, &effects)
            }
            return effects
        }

        /// Marks entries as read, where nil means all.
        ///
        /// Returns whether an entry changed.
        mutating func markRead(_ identifiers: Set<String>?) -> Bool {
            var isChanged = false
            for (index, entry) in list.entries.enumerated() where !entry.notification.isRead {
                guard identifiers?.contains(entry.notification.identifier) ?? true else { continue }
                list.change(at: index) { $0.notification.isRead = true }
                isChanged = true
            }
            return isChanged
        }

        mutating func setBadge(_ count: Int) {
            badge = max(0, count)
            isBadgeUnsaved = true
        }

        /// Takes over the badge in the store, unless this run has set a newer one.
        ///
        /// Returns whether the badge changed.
        mutating func adoptBadge(_ stored: Int) -> Bool {
            guard !isBadgeUnsaved, badge != stored else { return false }
            badge = stored
            return true
        }

        /// Returns an unsaved badge and marks the badge as saved, or returns nil.
        mutating func drainBadge() -> Int? {
            defer { isBadgeUnsaved = false }
            return isBadgeUnsaved ? badge : nil
        }

        /// Marks changes as unsaved again after their write failed.
        mutating func restoreChanges(_ changes: UnsavedChanges) {
            list.restoreChanges(changes.list)
            if changes.badge != nil { isBadgeUnsaved = true }
        }

        /// Whether this run shows, or is about to show, a newer notification with the same
        /// identifier.
        func hasNewer(than delivery: NotificationDelivery) -> Bool {
            let queue = queues[delivery.identifier]
            if let queue, queue.next != nil { return true }
            if let current = queue?.current { return current.delivery.number > delivery.number }
            return list.entry(of: delivery.identifier)?.owner == owner
        }

        /// Closes a visible delivery, unless a newer one is about to take its place.
        mutating func close(
            _ delivery: NotificationDelivery,
            _ effects: inout Effects
        ) {
            let queue = queues[delivery.identifier]
            if case .show? = queue?.next { return }
            if let current = queue?.current, current.delivery.number > delivery.number { return }
            enqueue(.close, for: delivery.identifier, &effects)
        }

        private mutating func enqueue(
            _ operation: Operation,
            for identifier: String,
            _ effects: inout Effects
        ) {
            if case .show(let queued)? = queues[identifier]?.next {
                effects.replaced.append(queued.promise)
            }
            if queues[identifier] == nil { effects.started.append(identifier) }
            queues[identifier, default: IdentifierQueue()].next = operation
        }
    }
}
