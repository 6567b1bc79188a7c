// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// What waits for its time, and who sends what is due, as a value.
///
/// It is part of the record on disk: every change is a transaction of the store, so that of two
/// processes one sends what is due.
package struct NotificationSchedule: Hashable, Sendable, Codable {
    /// How many may wait.
    static let limit = 64
    /// The shortest interval that repeats.
    static let shortestRepeat = Duration.seconds(60)
    /// How late something is before it counts as overdue while the program runs.
    static let patience: TimeInterval = 60

    /// Something whose time has come and that its owner sends now.
    package struct Due: Sendable {
        let number: Int
        let request: UserNotificationRequest
        let isOverdue: Bool
        /// When it was claimed, if it repeats.
        var since = Date.distantPast
    }

    private(set) var items: [ScheduledNotification] = []

    /// The highest number that anything has.
    var lastNumber: Int { items.map(\.number).max() ?? 0 }

    package init() {}

    /// What waits, the next first.
    func pending(at moment: NotificationMoment) -> [PendingNotification] {
        items.filter { $0.claim == nil || $0.request.trigger.repeats }
            .map { PendingNotification(request: $0.request, date: $0.fireDate(at: moment)) }
            .sorted { ($0.nextFireDate ?? .distantFuture) < ($1.nextFireDate ?? .distantFuture) }
    }

    /// When something is to be done next; nil for never.
    func nextDate(at moment: NotificationMoment) -> Date? {
        items.filter { $0.claim == nil }.compactMap { $0.fireDate(at: moment) }.min()
    }

    /// Adds a request in place of one with its identifier, and returns when it fires.
    package mutating func add(
        _ request: UserNotificationRequest,
        number: Int,
        at moment: NotificationMoment
    ) throws(UserNotificationError) -> Date {
        if case .after(let interval, let repeats) = request.trigger,
            interval < (repeats ? Self.shortestRepeat : .zero)
        {
            throw .invalidTrigger("An interval is not negative, and a minute if it repeats.")
        }
        let item = ScheduledNotification(request, number: number, at: moment)
        guard let date = item.fireDate(at: moment) else {
            throw .invalidTrigger("“\(request.identifier)” would never fire.")
        }
        let others = items.filter { $0.request.identifier != request.identifier }
        guard others.count < Self.limit else { throw .pendingLimit }
        items = others + [item]
        return date
    }

    /// Takes requests out, all without identifiers, and says whether there were any.
    mutating func remove(_ identifiers: Set<String>?) -> Bool {
        let count = items.count
        items.removeAll { identifiers?.contains($0.request.identifier) ?? true }
        return items.count != count
    }

    /// Takes what is due for an owner, who sends it when that is on disk.
    ///
    /// - Parameters:
    ///   - owner: Who takes it.
    ///   - moment: What time it is.
    ///   - isStart: Whether everything whose time has passed was missed.
    ///   - first: The first number of what the owner has added itself, which was not missed.
    /// - Returns: What the owner sends, the earliest first.
    mutating func claim(
        for owner: String,
        at moment: NotificationMoment,
        isStart: Bool,
        ownFrom first: Int = .max
    ) -> [Due] {
        var due: [(date: Date, Due)] = []
        for index in items.indices where items[index].claim == nil {
            guard let date = items[index].fireDate(at: moment), date <= moment.date else {
                continue
            }
            let late = moment.date.timeIntervalSince(date)
            let wasMissed = isStart && items[index].number < first
            let isOverdue = late > (wasMissed ? 0 : Self.patience)
            let request = items[index].request
            if request.trigger.repeats { items[index].advance(at: moment) }
            if isOverdue, request.ifOverdue == .drop { continue }
            items[index].claim = owner
            let number = items[index].number
            due.append((date, Due(number: number, request: request, isOverdue: isOverdue)))
        }
        // What was dropped and does not repeat is over.
        items.removeAll { item in
            guard item.claim == nil, !item.request.trigger.repeats else { return false }
            return item.fireDate(at: moment).map { $0 <= moment.date } ?? false
        }
        return due.sorted { $0.date < $1.date }.map(\.1)
    }

    /// Notes that something due was sent, or came to nothing.
    mutating func finish(_ number: Int) {
        guard let index = items.firstIndex(where: { $0.number == number }) else { return }
        if items[index].request.trigger.repeats {
            items[index].claim = nil
        } else {
            items.remove(at: index)
        }
    }

    /// Takes over what owners were sending who are no more.
    ///
    /// Nobody knows whether it was shown.
    ///
    /// - Parameters:
    ///   - owner: Who takes it over.
    ///   - isAlive: Whether an owner still is.
    /// - Returns: What is only listed, and what its policy says to send again.
    mutating func recover(
        for owner: String,
        isAlive: (String) -> Bool
    ) -> (lost: [Due], again: [Due]) {
        var found: (lost: [Due], again: [Due]) = ([], [])
        for item in items {
            guard let claim = item.claim, !isAlive(claim) else { continue }
            let due = Due(
                number: item.number,
                request: item.request,
                isOverdue: true,
                since: item.request.trigger.repeats ? item.anchor : .distantPast
            )
            if item.request.ifOverdue == .deliverAgain {
                if let index = items.firstIndex(of: item) { items[index].claim = owner }
                found.again.append(due)
            } else {
                finish(item.number)
                found.lost.append(due)
            }
        }
        return found
    }
}
