// SPDX-License-Identifier: Apache-2.0

/// Turns at a limited rate: each has a number of bytes and a time at which it begins.
///
/// Turns follow one another at the rate, so that several users that take turns share it equally,
/// without a queue: the bucket is one point in time, at which the next turn begins. A value; the
/// caller passes the time.
struct TokenBucket: Hashable, Sendable {
    /// A permission to receive bytes from a time on.
    struct Turn: Hashable, Sendable {
        /// The number of bytes.
        var bytes: Int64
        /// The time at which it begins.
        var begin: Duration
    }

    /// The time that a turn lasts at the rate, if it has more than the least bytes.
    static let turnSeconds = 0.025
    /// The time in which no turn began that later ones may catch up on.
    static let patience = Duration.milliseconds(100)

    /// The rate in bytes per second.
    let rate: Int64
    /// The time at which all earlier turns are over.
    private var next: Duration

    /// Creates a bucket whose first turn begins now.
    init(rate: Int64, at now: Duration) {
        self.rate = max(1, rate)
        next = now
    }

    /// Takes a turn.
    ///
    /// - Parameters:
    ///   - least: The least number of bytes, which arrive in one piece.
    ///   - now: The present time.
    /// - Returns: The turn, which may begin later than now.
    mutating func take(atLeast least: Int64, at now: Duration) -> Turn {
        let bytes = max(least, Int64(Double(rate) * Self.turnSeconds))
        let begin = max(next, now - Self.patience)
        next = begin + time(of: bytes)
        return Turn(bytes: bytes, begin: max(begin, now))
    }

    /// Returns the unused bytes of a turn, so that a later one begins earlier.
    mutating func putBack(_ bytes: Int64) {
        next -= time(of: max(0, bytes))
    }

    private func time(of bytes: Int64) -> Duration {
        .seconds(Double(bytes) / Double(rate))
    }
}
