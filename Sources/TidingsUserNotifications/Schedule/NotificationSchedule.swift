// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The scheduled requests and their claims, as a value.
///
/// The schedule is part of the stored record. Every change is a transaction of the store, so that
/// only one of several processes sends a due request.
package struct NotificationSchedule: Hashable, Sendable, Codable {
    /// The maximum number of pending requests.
    static let limit = 64
    /// The shortest interval that may repeat.
    static let shortestRepeat = Duration.seconds(60)
    /// The number of seconds after which a due request counts as overdue while the program runs.
    static let overdueTolerance: TimeInterval = 10
    /// The longest time until a living run notices that the sender of a request has ended.
    static let takeoverLimit = Duration.seconds(1)
    /// The longest time between two looks at the schedule.
    ///
    /// A change of the time zone posts no event.
    static let longestWait = Duration.seconds(60)

    /// A due request that the owner has to send.
    package struct DueRequest: Sendable {
        let number: Int
        let request: UserNotificationRequest
        let isOverdue: Bool
        /// The time of the claim if the request repeats.
        var since = Date.distantPast
    }

    private(set) var items: [ScheduledNotification] = []

    /// The highest number of a request, or 0 without requests.
    var lastNumber: Int { items.map(\.number).max() ?? 0 }

    /// Creates a schedule without requests.
    package init() {}

    /// Returns the pending requests, the next one first.
    func pending(at moment: NotificationMoment) -> [UserNotificationPendingRequest] {
        items.filter { $0.claim == nil || $0.request.trigger.repeats }
            .map {
                UserNotificationPendingRequest(request: $0.request, date: $0.fireDate(at: moment))
            }
            .sorted { ($0.nextFireDate ?? .distantFuture) < ($1.nextFireDate ?? .distantFuture) }
    }

    /// Returns the next date at which a request is due, or nil for never.
    func nextDate(at moment: NotificationMoment) -> Date? {
        items.filter { $0.claim == nil }.compactMap { $0.fireDate(at: moment) }.min()
    }

    /// The numbers of the requests for which the system starts the program.
    var numbersOfStarts: [Int] { items.filter(\.request.startsProgram).map(\.number) }

    /// Returns the next date at which the system has to start the closed program, or nil for never.
    func programStart(at moment: NotificationMoment) -> Date? {
        items.filter { $0.claim == nil && $0.request.startsProgram }
            .compactMap { $0.fireDate(at: moment) }.min()
    }

    /// Returns the longest time to wait before the schedule has to be read again.
    ///
    /// Intervals count elapsed time, independent of the wall clock. Nothing reports the end of
    /// another run that was sending a request.
    func longestWait(of owner: String, at moment: NotificationMoment) -> Duration {
        let rests = items.filter { $0.claim == nil }.compactMap { $0.rest(at: moment) }
        let isSentByOthers = items.contains { $0.claim != nil && $0.claim != owner }
        let limit = isSentByOthers ? Self.takeoverLimit : Self.longestWait
        return max(.zero, min(limit, rests.min() ?? limit))
    }

    /// Adds a request in place of one with the same identifier.
    ///
    /// - Parameters:
    ///   - request: The request to add.
    ///   - number: The unique number of the request.
    ///   - moment: The current time.
    /// - Returns: The date at which the request fires.
    /// - Throws: ``UserNotificationError``: `.invalidTrigger` or `.pendingLimit`.
    package mutating func add(
        _ request: UserNotificationRequest,
        number: Int,
        at moment: NotificationMoment
    ) throws(UserNotificationError) -> Date {
        if case .after(let interval, let repeats) = request.trigger,
            interval < (repeats ? Self.shortestRepeat : .zero)
        {
            throw .invalidTrigger(
                "The interval is too short. It has to be zero or more, and a minute if it repeats."
            )
        }
        let item = ScheduledNotification(request, number: number, at: moment)
        guard let date = item.fireDate(at: moment) else {
            throw .invalidTrigger(
                "The trigger of “\(request.identifier)” never fires. Check its components."
            )
        }
        let others = items.filter { $0.request.identifier != request.identifier }
        guard others.count < Self.limit else { throw .pendingLimit }
        items = others + [item]
        return date
    }

    /// Removes requests, where nil means all.
    ///
    /// Returns whether any request was removed.
    mutating func remove(_ identifiers: Set<String>?) -> Bool {
        let count = items.count
        items.removeAll { identifiers?.contains($0.request.identifier) ?? true }
        return items.count != count
    }

    /// Claims the due requests for an owner, which sends the requests after the change is stored.
    ///
    /// - Parameters:
    ///   - owner: The name of the run that claims the requests.
    ///   - moment: The current time.
    ///   - isStart: Whether this is the first claim of a run, so that every due request was missed.
    ///   - first: The first number of requests that the owner added itself. These requests were not
    ///     missed.
    /// - Returns: The requests to send, the earliest first.
    mutating func claim(
        for owner: String,
        at moment: NotificationMoment,
        isStart: Bool,
        ownFrom first: Int = .max
    ) -> [DueRequest] {
        var due: [(date: Date, DueRequest)] = []
        for index in items.indices where items[index].claim == nil {
            guard let date = items[index].fireDate(at: moment), date <= moment.date else {
                continue
            }
            let late = moment.date.timeIntervalSince(date)
            let wasMissed = isStart && items[index].number < first
            let request = items[index].request
            // A program that was started for the request has not missed it.
            let isLateAtOnce = wasMissed && !request.startsProgram
            let isOverdue = late > (isLateAtOnce ? 0 : Self.overdueTolerance)
            if request.trigger.repeats { items[index].advance(at: moment) }
            if isOverdue, request.ifOverdue == .drop { continue }
            items[index].claim = owner
            let number = items[index].number
            due.append((date, DueRequest(number: number, request: request, isOverdue: isOverdue)))
        }
        // Dropped requests that do not repeat are finished.
        items.removeAll { item in
            guard item.claim == nil, !item.request.trigger.repeats else { return false }
            return item.fireDate(at: moment).map { $0 <= moment.date } ?? false
        }
        return due.sorted { $0.date < $1.date }.map(\.1)
    }

    /// Releases or removes a request after it was sent or dropped.
    mutating func finish(_ number: Int) {
        guard let index = items.firstIndex(where: { $0.number == number }) else { return }
        if items[index].request.trigger.repeats {
            items[index].claim = nil
        } else {
            items.remove(at: index)
        }
    }

    /// Takes over requests that ended runs were sending.
    ///
    /// Nothing proves that the user saw the notifications.
    ///
    /// - Parameters:
    ///   - owner: The name of the run that takes over the requests.
    ///   - isAlive: Whether the run with a name is alive.
    /// - Returns: The requests to list only, and the requests to send again because of their
    ///   policy.
    mutating func recover(
        for owner: String,
        isAlive: (String) -> Bool
    ) -> (lost: [DueRequest], resend: [DueRequest]) {
        var found: (lost: [DueRequest], resend: [DueRequest]) = ([], [])
        for item in items {
            guard let claim = item.claim, !isAlive(claim) else { continue }
            let due = DueRequest(
                number: item.number,
                request: item.request,
                isOverdue: true,
                since: item.request.trigger.repeats ? item.anchor : .distantPast
            )
            if item.request.ifOverdue == .deliverAgain {
                if let index = items.firstIndex(of: item) { items[index].claim = owner }
                found.resend.append(due)
            } else {
                finish(item.number)
                found.lost.append(due)
            }
        }
        return found
    }
}
