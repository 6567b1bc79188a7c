// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Points in time as servers take them.
enum SentryDate {
    /// Servers refuse what is older than 30 days, and what is a minute in the future.
    private static let oldest: TimeInterval = -29 * 86_400
    private static let newest: TimeInterval = 30

    /// When an event happened, as far as servers believe it.
    static func event(_ date: Date, now: Date) -> (seconds: JSONValue, isBelievable: Bool) {
        let age = date.timeIntervalSince(now)
        let isBelievable = (oldest...newest).contains(age)
        return (seconds(isBelievable ? date : now), isBelievable)
    }

    /// Seconds since 1970, to the millisecond, within what can be a date.
    static func seconds(_ date: Date) -> JSONValue {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite else { return .number(0) }
        return .number((min(max(seconds, 0), 4_000_000_000) * 1_000).rounded() / 1_000)
    }

    /// The date in UTC, within what can be a date.
    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let sane = seconds.isFinite ? min(max(seconds, 0), 4_000_000_000) : 0
        return Date(timeIntervalSince1970: sane)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
