// SPDX-License-Identifier: Apache-2.0
import Foundation

extension UserNotificationCenter {
    /// What is delivered and what is on its way, as a value.
    ///
    /// Each identifier has at most one line of work: what runs now and the one thing that comes
    /// next. Later work takes the place of what has not begun, so that two racing posts end as one
    /// visible notification, the later one.
    struct Inbox {
        /// A request on its way to being delivered.
        struct Posting {
            let delivery: NotificationDelivery
            var content: UserNotificationContent
            let promise: OutcomePromise
            var isOverdue = false
            /// Which request of the schedule it comes from.
            var scheduleNumber: Int?
            /// What is left out because there is no file.
            var degraded: NotificationFeatures = []
        }

        enum Work {
            case show(Posting)
            case close
        }

        /// What the caller does after it has left the lock.
        struct Aftermath {
            /// The lines that have work and nobody who does it.
            var started: [String] = []
            /// Requests that came to nothing because of this.
            var replaced: [OutcomePromise] = []
            /// Whether the list is another one than before.
            var isListChanged = false
        }

        struct Line {
            /// What is being shown, if anything is.
            var current: Posting?
            var next: Work?
        }

        let limit: Int
        var list = DeliveredList()
        /// Which run delivers.
        let owner: String
        /// How many left the list because it was full.
        var dropped = 0
        private(set) var badge = 0
        /// Whether this run knows the badge better than the store.
        private(set) var isBadgeSet = false
        var categories: [String: NotificationCategory] = [:]
        private(set) var lines: [String: Line] = [:]
        var lastNumber = 0
        /// Where the numbers of this run begin, once that is known.
        var firstNumber = 0
        /// What was removed or replaced before it could be known what earlier runs have left; nil
        /// from then on.
        var removedEarly: Removals? = Removals()

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
        ) -> Aftermath {
            let number = reserveNumbers(1)
            let posting = Posting(
                delivery: NotificationDelivery(identifier: request.identifier, number: number),
                content: request.content,
                promise: promise,
                isOverdue: isOverdue,
                scheduleNumber: scheduleNumber
            )
            var aftermath = Aftermath()
            enqueue(.show(posting), for: request.identifier, &aftermath)
            return aftermath
        }

        /// Returns the first of some numbers that nothing else gets.
        mutating func reserveNumbers(_ count: Int) -> Int {
            defer { lastNumber += count }
            return lastNumber + 1
        }

        /// Begins to number behind all that was numbered before a date.
        mutating func numberFrom(_ date: Date) {
            let minute = Int(min(max(date.timeIntervalSince1970 / 60, 0), 1e9))
            lastNumber = max(lastNumber, minute << 32)
        }

        /// Takes the next work of a line out; nil ends the line.
        mutating func nextWork(for identifier: String) -> Work? {
            guard let work = lines[identifier]?.next else {
                lines[identifier] = nil
                return nil
            }
            if case .show(let posting) = work {
                lines[identifier] = Line(current: posting)
            } else {
                lines[identifier] = Line()
            }
            return work
        }

        /// Takes over what has become of a posting that is being shown.
        mutating func keep(_ posting: Posting) {
            let identifier = posting.delivery.identifier
            guard lines[identifier]?.current?.delivery == posting.delivery else { return }
            lines[identifier]?.current = posting
        }

        /// The attachments of what is delivered and of what is on its way.
        var attachments: [NotificationAttachment] {
            let onTheirWay = lines.values.flatMap { line in
                var attachments = line.current?.content.attachments ?? []
                if case .show(let posting)? = line.next {
                    attachments += posting.content.attachments
                }
                return attachments
            }
            return onTheirWay + list.entries.flatMap(\.notification.content.attachments)
        }

        /// The notification that a posting is about to become.
        func draft(of posting: Posting, at date: Date) -> UserNotification {
            let category = posting.content.category.flatMap { categories[$0] }
            return UserNotification(
                id: posting.delivery,
                content: posting.content,
                actions: category?.actions ?? [],
                options: category?.options ?? [],
                date: date,
                presentation: [],
                isOverdue: posting.isOverdue
            )
        }

        /// Lists a notification in place of an earlier one; nil if something newer waits.
        mutating func deliver(
            _ notification: UserNotification,
            scheduleNumber: Int? = nil
        ) -> Aftermath? {
            guard lines[notification.identifier]?.next == nil else { return nil }
            let entry = DeliveredNotification(
                notification: notification,
                // Its end may be told before its beginning.
                isShown: !notification.presentation.isEmpty,
                owner: owner,
                scheduleNumber: scheduleNumber
            )
            removedEarly?.add([notification.identifier])
            if let count = notification.content.badge { setBadge(count) }
            return add([entry])
        }

        /// Takes a response once; nil when that delivery is gone, replaced or responded to.
        mutating func respond(
            to delivery: NotificationDelivery
        ) -> (notification: UserNotification, aftermath: Aftermath)? {
            guard let index = list.index(of: delivery) else { return nil }
            var aftermath = Aftermath(isListChanged: true)
            let notification = list.remove(at: index).notification
            close(delivery, &aftermath)
            return (notification, aftermath)
        }

        /// Takes notifications out, delivered or on their way; nil means all.
        mutating func remove(_ identifiers: Set<String>?) -> Aftermath {
            var aftermath = Aftermath()
            removedEarly?.add(identifiers)
            let known = Set(lines.keys).union(list.identifiers)
            for identifier in identifiers.map(known.intersection) ?? known {
                if list.remove(identifier) { aftermath.isListChanged = true }
                enqueue(.close, for: identifier, &aftermath)
            }
            return aftermath
        }

        /// Marks as read, all without identifiers, and says whether that changed anything.
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
            isBadgeSet = true
        }

        /// Closes what is shown of one delivery, unless a newer one is about to take its place.
        mutating func close(
            _ delivery: NotificationDelivery,
            _ aftermath: inout Aftermath
        ) {
            let line = lines[delivery.identifier]
            if case .show? = line?.next { return }
            if let current = line?.current, current.delivery.number > delivery.number { return }
            enqueue(.close, for: delivery.identifier, &aftermath)
        }

        private mutating func enqueue(
            _ work: Work,
            for identifier: String,
            _ aftermath: inout Aftermath
        ) {
            if case .show(let posting)? = lines[identifier]?.next {
                aftermath.replaced.append(posting.promise)
            }
            if lines[identifier] == nil { aftermath.started.append(identifier) }
            lines[identifier, default: Line()].next = work
        }
    }
}
