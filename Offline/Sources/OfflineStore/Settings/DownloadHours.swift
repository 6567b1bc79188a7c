// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The hours of the day in which to download, in local time.
package enum DownloadHours: Hashable, Sendable {
    /// The whole day.
    case always
    /// From one minute of the day to another, on the next day if `to` is not later than `from`.
    case daily(from: Int, to: Int)

    private static let day = 24 * 3_600

    /// Returns whether the hours include a time.
    ///
    /// - Parameters:
    ///   - date: The time.
    ///   - zone: The time zone in whose local time the hours apply, even on days of a clock change.
    /// - Returns: Whether the hours include the time.
    package func include(_ date: Date, in zone: TimeZone) -> Bool {
        guard case .daily(let from, let to) = self else { return true }
        let minute = Self.second(of: date, in: zone) / 60
        return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    /// Returns the next time at which the hours start or end, or nil if they never do.
    package func nextChange(after date: Date, in zone: TimeZone) -> Date? {
        guard case .daily(let from, let to) = self else { return nil }
        let isIncluded = include(date, in: zone)
        var time = date
        // A change of the clock can skip or repeat both limits, so the search needs a few steps.
        for _ in 0..<16 {
            let second = Self.second(of: time, in: zone)
            let fraction = time.timeIntervalSince1970 - time.timeIntervalSince1970.rounded(.down)
            let steps = [from, to].map { limit in
                let left = (limit * 60 - second + Self.day) % Self.day
                return left == 0 ? Self.day : left
            }
            let limit = time.addingTimeInterval(Double(steps.min() ?? Self.day) - fraction)
            let change = zone.nextDaylightSavingTimeTransition(after: time)
            time = change.map { $0 > time ? min(limit, $0) : limit } ?? limit
            if include(time, in: zone) != isIncluded { return time }
        }
        return nil
    }

    /// Returns the second of the local day.
    private static func second(of date: Date, in zone: TimeZone) -> Int {
        let local = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        return (local % day + day) % day
    }
}

extension DownloadHours: RawRepresentable {
    /// Parses `always` or hours such as `23:00-07:00`, and returns nil for any other text.
    package init?(rawValue: String) {
        if rawValue == "always" {
            self = .always
            return
        }
        let form = /([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})/
        guard let match = rawValue.wholeMatch(of: form),
            let from = Self.minute(match.1, match.2), let to = Self.minute(match.3, match.4),
            from != to
        else { return nil }
        self = .daily(from: from, to: to)
    }

    /// `always`, or the hours with two digits each.
    package var rawValue: String {
        guard case .daily(let from, let to) = self else { return "always" }
        return "\(Self.text(from))-\(Self.text(to))"
    }

    /// The time of the day at which the hours start, or nil for the whole day.
    package var begin: String? {
        if case .daily(let from, _) = self { Self.text(from) } else { nil }
    }

    private static func minute(_ hour: Substring, _ minute: Substring) -> Int? {
        guard let hour = Int(hour), let minute = Int(minute), hour < 24, minute < 60 else {
            return nil
        }
        return hour * 60 + minute
    }

    private static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
