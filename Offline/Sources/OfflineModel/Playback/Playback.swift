// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// How far an item has been played, on any device.
package struct Playback: Hashable, Sendable, Codable {
    /// The time in seconds at which to continue, or 0 for the start.
    package var seconds: Double
    /// Whether the item has been played to the end or marked as watched.
    package var isWatched: Bool
    /// When the item was last played, or nil if never.
    package var playedAt: Date?

    /// Creates a playback.
    ///
    /// The default values describe a new item.
    package init(seconds: Double = 0, isWatched: Bool = false, playedAt: Date? = nil) {
        self.seconds = seconds
        self.isWatched = isWatched
        self.playedAt = playedAt
    }

    /// The longest time in seconds: about four months.
    package static let longestTime = 1e7

    /// Returns whether an item can be played to this time.
    package static func isValid(seconds: Double) -> Bool { (0...longestTime).contains(seconds) }

    /// Whether the item was never played and has no mark.
    package var isNew: Bool { self == Playback() }

    /// Returns the playback after a change.
    ///
    /// A change from before the last playing has no effect.
    ///
    /// The rules are here so that all devices agree. A time near the end of an item marks the item
    /// as watched, and a time at the very start leaves nothing to continue.
    ///
    /// - Parameters:
    ///   - change: The values to change.
    ///   - duration: The duration of the item in seconds, or nil if unknown.
    ///   - date: The present time.
    /// - Returns: The playback after the change.
    package func applying(_ change: PlaybackChange, duration: Double?, at date: Date) -> Playback {
        let date = date.addingTimeInterval(-(change.age ?? 0))
        // Without an age, the change always counts, because the clock may have been ahead at the
        // last playing.
        if change.age != nil, let playedAt, playedAt > date { return self }
        var result = self
        if let seconds = change.seconds {
            let end = duration ?? .infinity
            let isOver = seconds >= end - min(Self.longestEnd, end * Self.endShare)
            result.seconds = isOver || seconds < Self.beginning ? 0 : min(seconds, end)
            if isOver { result.isWatched = true }
            result.playedAt = date
        }
        if let isWatched = change.isWatched {
            result.isWatched = isWatched
            if change.seconds == nil { result.seconds = 0 }
        }
        return result
    }

    /// The number of seconds that still count as the start.
    private static let beginning = 3.0
    /// The longest ending in seconds, such as credits.
    private static let longestEnd = 180.0
    /// The part of the duration that counts as the ending of a short item.
    private static let endShare = 0.05
}

/// A change of the playback of an item.
package struct PlaybackChange: Hashable, Sendable {
    /// The time in seconds to which the item was played, or nil to keep the time.
    package let seconds: Double?
    /// Whether the item counts as watched, or nil to keep the mark.
    package let isWatched: Bool?
    /// The seconds since the playing, sent by a player that could not reach the server, or nil for
    /// the present.
    package let age: Double?

    /// Creates a change from unchecked values.
    ///
    /// - Throws: `LibraryError` with `.invalidPlayback` if a time is out of range or the change is
    ///   empty.
    package init(
        seconds: Double?,
        isWatched: Bool? = nil,
        age: Double? = nil
    ) throws(LibraryError) {
        guard seconds != nil || isWatched != nil else {
            throw LibraryError(
                .invalidPlayback,
                "There is nothing to change. Send “seconds”, “isWatched” or both."
            )
        }
        if let seconds, !Playback.isValid(seconds: seconds) {
            throw LibraryError(
                .invalidPlayback,
                "The time is out of range. Use “seconds” from 0 to \(Int(Playback.longestTime))."
            )
        }
        if let age, !(0...Self.oldest).contains(age) {
            throw LibraryError(
                .invalidPlayback,
                "The age is out of range. Use “age” from 0 to \(Int(Self.oldest)) seconds."
            )
        }
        self.seconds = seconds
        self.isWatched = isWatched
        self.age = age
    }

    /// The greatest age in seconds: about thirty years.
    private static let oldest = 1e9
}
