// SPDX-License-Identifier: Apache-2.0

/// Turns at a limited rate.
///
/// Each turn has a number of bytes and a start time.
///
/// Turns follow one another at the rate, so that several users that take turns share the rate
/// equally. No queue is needed, because the bucket stores only the start time of the next turn. The
/// bucket is a value, and the caller passes the present time.
struct TokenBucket: Hashable, Sendable {
    /// A permission to receive bytes from a time on.
    struct Turn: Hashable, Sendable {
        /// The number of bytes.
        var bytes: Int64
        /// The time at which the turn starts.
        var begin: Duration
    }

    /// The length of a turn in seconds at the rate, unless the least number of bytes takes longer.
    static let turnSeconds = 0.025
    /// The longest idle time that later turns may catch up on.
    static let patience = Duration.milliseconds(100)

    /// The rate in bytes per second.
    let rate: Int64
    /// The time at which all earlier turns are over.
    private var next: Duration

    /// Creates a bucket whose first turn starts now.
    init(rate: Int64, at now: Duration) {
        self.rate = max(1, rate)
        next = now
    }

    /// Takes a turn.
    ///
    /// - Parameters:
    ///   - least: The least number of bytes, which arrive in one piece.
    ///   - now: The present time.
    /// - Returns: The turn, which may start later than now.
    mutating func take(atLeast least: Int64, at now: Duration) -> Turn {
        let bytes = max(least, Int64(Double(rate) * Self.turnSeconds))
        let begin = max(next, now - Self.patience)
        next = begin + time(of: bytes)
        return Turn(bytes: bytes, begin: max(begin, now))
    }

    /// Returns the unused bytes of a turn, so that a later turn starts earlier.
    mutating func putBack(_ bytes: Int64) {
        next -= time(of: max(0, bytes))
    }

    private func time(of bytes: Int64) -> Duration {
        .seconds(Double(bytes) / Double(rate))
    }
}
