// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineSources
import OfflineStore

/// A value without side effects that chooses the next step of the checks.
struct FeedAgenda {
    /// A step.
    enum Step: Equatable {
        /// Check this feed now.
        case check(FeedID)
        /// Wait for this duration, or until the agenda changes.
        case wait(Duration)
        /// Wait until the agenda changes, because no feed has a next check.
        case rest
    }

    /// The longest wait before the agenda reads the time of day again, which the user may have
    /// changed.
    static let longestWait = Duration.seconds(900)
    /// The seconds after a check without a record, for example on a full disk, to the next check.
    static let unrecordedDelay = 900.0

    private var times: [FeedID: Date] = [:]
    private var running: Set<FeedID> = []

    /// Replaces the times of all feeds.
    ///
    /// A feed without a time has ended.
    mutating func replace(_ feeds: [Feed]) {
        times = [:]
        for feed in feeds { times[feed.id] = feed.nextCheck }
    }

    /// Sets the next check of a feed, or nil if the feed has ended or is no longer followed.
    mutating func schedule(_ id: FeedID, at date: Date?) { times[id] = date }

    /// Excludes a feed until the running check ends.
    mutating func begin(_ id: FeedID) { running.insert(id) }

    /// Records the end of a check.
    mutating func end(_ id: FeedID) { running.remove(id) }

    /// Applies the error of a due check, of which the registry has no record.
    ///
    /// Without a network, the check stays due, because the next step waits for the network.
    mutating func fail(_ id: FeedID, _ error: any Error, at now: Date) {
        if error is FeedCheck.Offline { return }
        let isFollowed = (error as? FeedError)?.code != .notFollowed
        times[id] = isFollowed ? now + Self.unrecordedDelay : nil
    }

    /// Returns the next step.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - isOffline: Whether the machine has no network. Without a network, no check starts.
    /// - Returns: The check that has been due for the longest time, or the wait for the next check.
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

    /// Returns whether a check is due.
    ///
    /// A time later than any delay allows was set by a wrong clock.
    private func isDue(_ date: Date, _ now: Date) -> Bool {
        let limit = FeedTiming.longest * 1.2
        return date <= now || Duration.seconds(date.timeIntervalSince(now)) > limit
    }
}
