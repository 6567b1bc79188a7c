// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The visible notifications of one thread, with separate bubbles or in the summary.
struct ThreadBubbles {
    /// The summary to show.
    struct Summary {
        /// The notifications in the summary (at least one), the oldest first.
        let members: [UserNotification]
        let number: Int
        /// The number of the visible summary to replace, or nil if none is visible.
        let previous: Int?
    }

    /// The number of bubbles that stay single.
    static let limit = 3
    /// The time in seconds within which more bubbles make a summary.
    static let window: TimeInterval = 60

    /// The notifications with separate bubbles that may count for a summary, the oldest first.
    private(set) var singles: [UserNotification] = []
    /// The notifications in the summary, the oldest first.
    private(set) var members: [UserNotification] = []
    /// The members that still have separate bubbles.
    private(set) var unclosed: [NotificationDelivery] = []
    /// The number of the visible summary, or nil if none is visible.
    private(set) var shownNumber: Int?
    /// The notifications that were members when the visible summary was made.
    private var shown: [UserNotification] = []
    private var lastNumber = 0
    private var isChanged = false

    /// Adds a notification, to the summary if there is a column of bubbles.
    mutating func add(_ notification: UserNotification) {
        let isMember = members.contains { $0.identifier == notification.identifier }
        let isSingle = singles.contains { $0.identifier == notification.identifier }
        members.removeAll { $0.identifier == notification.identifier }
        singles.removeAll { $0.identifier == notification.identifier }
        let isRecent = { (other: UserNotification) in
            abs(notification.date.timeIntervalSince(other.date)) < Self.window
        }
        singles = singles.filter(isRecent)
        let isCollecting = members.last.map(isRecent) ?? false
        guard isMember || !isSingle && (isCollecting || singles.count >= Self.limit) else {
            singles.append(notification)
            return
        }
        unclosed += singles.map(\.id)
        members += singles + [notification]
        singles = []
        isChanged = true
    }

    /// Removes an unwanted notification and returns whether the summary contained the notification.
    mutating func remove(_ identifier: String) -> Bool {
        singles.removeAll { $0.identifier == identifier }
        unclosed.removeAll { $0.identifier == identifier }
        let count = members.count
        members.removeAll { $0.identifier == identifier }
        if members.count < count { isChanged = true }
        return members.count < count
    }

    /// Drops the bubble of an ended delivery.
    mutating func ended(_ delivery: NotificationDelivery) {
        singles.removeAll { $0.id == delivery }
        unclosed.removeAll { $0 == delivery }
    }

    /// Ends the visible summary with this number and returns the members, or none without such a
    /// summary.
    ///
    /// Members that the ended summary does not show yet stay for the next summary.
    mutating func endSummary(_ number: Int) -> [UserNotification] {
        guard number == shownNumber else { return [] }
        let ended = shown.filter { isInSummary($0.id) }
        members.removeAll { member in ended.contains { $0.id == member.id } }
        shown = []
        shownNumber = nil
        isChanged = !members.isEmpty
        return ended
    }

    /// Ends the visible summary if this delivery was the newest when the summary was made, and
    /// returns the members.
    mutating func endSummary(ofNewest delivery: NotificationDelivery) -> [UserNotification] {
        guard let shownNumber, shown.last?.id == delivery else { return [] }
        return endSummary(shownNumber)
    }

    func isInSummary(_ delivery: NotificationDelivery) -> Bool {
        members.contains { $0.id == delivery }
    }

    /// Returns the summary to show, or nil if the visible one is up to date or the summary is
    /// empty.
    mutating func nextSummary() -> Summary? {
        guard isChanged, let newest = members.last else { return nil }
        isChanged = false
        lastNumber = max(lastNumber + 1, newest.id.number)
        let summary = Summary(members: members, number: lastNumber, previous: shownNumber)
        shown = members
        shownNumber = lastNumber
        return summary
    }

    /// Takes back a summary that could not be shown.
    ///
    /// A visible summary stays, and the next change tries again. Without a visible summary, members
    /// with separate bubbles keep these bubbles.
    mutating func failed(_ summary: Summary) {
        guard shownNumber == summary.number else { return }
        shownNumber = summary.previous
        isChanged = shownNumber != nil
        guard shownNumber == nil else { return }
        singles = members.filter { unclosed.contains($0.id) }
        members = []
        unclosed = []
        shown = []
    }

    /// Returns the single bubbles that the shown summary replaces.
    mutating func takeUnclosed() -> [NotificationDelivery] {
        defer { unclosed = [] }
        return unclosed
    }

    /// Returns whether the visible summary has lost the last member.
    mutating func takeEmptySummary() -> Bool {
        guard members.isEmpty, shownNumber != nil else { return false }
        shown = []
        shownNumber = nil
        isChanged = false
        return true
    }
}
