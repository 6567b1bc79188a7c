// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The next step of the checks; a value without side effects.
struct FeedAgenda {
    /// A step.
    enum Step: Equatable {
        /// Check this feed now.
        case check(FeedID)
        /// Wait for the time, or for a change of the agenda.
        case wait(Duration)
        /// Wait for a change of the agenda: no feed has a next check.
        case rest
    }

    /// The longest wait, after which the time of day counts again: it may have been set.
    static let longestWait = Duration.seconds(900)

    private var times: [FeedID: Date] = [:]
    private var running: Set<FeedID> = []

    /// Takes the times of all feeds; those without a time have ended.
    mutating func replace(_ feeds: [Feed]) {
        times = [:]
        for feed in feeds { times[feed.id] = feed.nextCheck }
    }

    /// Takes the next check of a feed; nil for a feed that has ended or is no longer followed.
    mutating func schedule(_ id: FeedID, at date: Date?) { times[id] = date }

    /// Excludes a feed until the end of its check.
    mutating func begin(_ id: FeedID) { running.insert(id) }

    /// Records the end of a check.
    mutating func end(_ id: FeedID) { running.remove(id) }

    /// Returns the next step.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - isOffline: Whether the machine has no network; nothing is checked then.
    /// - Returns: The check that is due for the longest time, or the wait for the next one.
    func next(at now: Date, isOffline: Bool) -> Step {
        guard !times.isEmpty else { return .rest }
        guard !isOffline else { return .wait(Self.longestWait) }
        let waiting = times.filter { !running.contains($0.key) }
        let first = waiting.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        if let first, isDue(first.value, now) { return .check(first.key) }
        if let early = waiting.first(where: { isDue($0.value, now) }) { return .check(early.key) }
        guard let first else { return .wait(Self.longestWait) }
        let wait = Duration.seconds(first.value.timeIntervalSince(now))
        return .wait(min(max(wait, .milliseconds(1)), Self.longestWait))
    }

    /// A time beyond every rule is one of a clock that was wrong.
    private func isDue(_ date: Date, _ now: Date) -> Bool {
        let limit = FeedTiming.longest * 1.2
        return date <= now || Duration.seconds(date.timeIntervalSince(now)) > limit
    }
}
