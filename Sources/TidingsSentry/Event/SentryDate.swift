// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Converts dates for servers.
enum SentryDate {
    /// The age limits, because servers refuse events older than 30 days or a minute in the future.
    private static let oldest: TimeInterval = -29 * 86_400
    private static let newest: TimeInterval = 30

    /// Returns the date of an event, or `now` if servers would not accept the date.
    static func event(_ date: Date, now: Date) -> (seconds: JSONValue, isAccepted: Bool) {
        let age = date.timeIntervalSince(now)
        let isAccepted = (oldest...newest).contains(age)
        return (seconds(isAccepted ? date : now), isAccepted)
    }

    /// Returns the seconds since 1970, rounded to milliseconds and limited to valid dates.
    static func seconds(_ date: Date) -> JSONValue {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite else { return .number(0) }
        return .number((min(max(seconds, 0), 4_000_000_000) * 1_000).rounded() / 1_000)
    }

    /// Returns the date as an ISO 8601 string in UTC, limited to valid dates.
    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let clamped = seconds.isFinite ? min(max(seconds, 0), 4_000_000_000) : 0
        return Date(timeIntervalSince1970: clamped)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
