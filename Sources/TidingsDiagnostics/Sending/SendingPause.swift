// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A time during which nothing is sent, as dates, so that it outlives the process.
///
/// Clocks are set: one that was set back does not make a pause longer than it was when it began,
/// and none is longer than a day from the moment it was stored.
struct SendingPause: Hashable, Sendable, Codable {
    static let limit: TimeInterval = 86_400
    /// Dates are stored in milliseconds; a pause with less left is over.
    private static let grain: TimeInterval = 0.001

    private(set) var stored: Date
    private(set) var until: Date

    init(_ duration: Duration, from now: Date) {
        let seconds = min(max(0, duration / .seconds(1)), Self.limit)
        stored = now
        until = now + seconds
    }

    /// How many seconds are left.
    func remaining(at now: Date) -> TimeInterval {
        let rest = isAhead(of: now) ? length : min(until, stored + Self.limit) - now
        return rest > Self.grain ? min(rest, Self.limit) : 0
    }

    /// Whether the clock was set back since; then the pause begins anew.
    func isAhead(of now: Date) -> Bool { stored > now + 1 }

    /// The pause as one that begins now.
    func begun(at now: Date) -> SendingPause { SendingPause(.seconds(length), from: now) }

    private var length: TimeInterval { min(until - stored, Self.limit) }
}

extension Date {
    fileprivate static func - (left: Date, right: Date) -> TimeInterval {
        left.timeIntervalSince(right)
    }
}
