// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A period during which nothing is sent, stored as dates in order to survive a restart.
///
/// The system clock can change. If the clock was set back, a pause does not become longer than its
/// original length. No pause ends later than one day after it was stored.
struct SendingPause: Hashable, Sendable, Codable {
    static let limit: TimeInterval = 86_400
    /// The precision of the stored dates, below which a remainder counts as zero.
    private static let grain: TimeInterval = 0.001

    private(set) var stored: Date
    private(set) var until: Date

    init(_ duration: Duration, from now: Date) {
        let seconds = min(max(0, duration / .seconds(1)), Self.limit)
        stored = now
        until = now + seconds
    }

    /// Returns the remaining seconds.
    func remaining(at now: Date) -> TimeInterval {
        let rest = isAhead(of: now) ? length : min(until, stored + Self.limit) - now
        return rest > Self.grain ? min(rest, Self.limit) : 0
    }

    /// Whether the clock was set back since the start, in which case the pause starts over.
    func isAhead(of now: Date) -> Bool { stored > now + 1 }

    /// Returns a pause of the same length that starts now.
    func begun(at now: Date) -> SendingPause { SendingPause(.seconds(length), from: now) }

    private var length: TimeInterval { min(until - stored, Self.limit) }
}

extension Date {
    fileprivate static func - (left: Date, right: Date) -> TimeInterval {
        left.timeIntervalSince(right)
    }
}
