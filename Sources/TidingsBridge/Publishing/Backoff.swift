// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts, which double up to a limit and are partly random.
package struct Backoff: Hashable, Sendable {
    /// The first pause.
    package let first: Duration
    /// The longest pause.
    package let limit: Duration
    private var attempts = 0

    /// Creates pauses.
    ///
    /// - Precondition: `first` is positive and not longer than `limit`.
    package init(first: Duration = .milliseconds(50), limit: Duration = .seconds(1)) {
        precondition(first > .zero && first <= limit, "A pause is positive and within its limit.")
        self.first = first
        self.limit = limit
    }

    /// Returns the next pause, which is randomly shortened by up to one half.
    mutating func next(_ random: Double) -> Duration {
        let pause = Self.pause(after: attempts, first: first, limit: limit)
        attempts += 1
        return pause * (0.5 + 0.5 * min(max(random, 0), 1))
    }

    /// Starts again with the first pause.
    mutating func reset() {
        attempts = 0
    }

    /// Returns the pause after a number of failures, from 0, without a random part.
    static func pause(after failures: Int, first: Duration, limit: Duration) -> Duration {
        var pause = first
        for _ in 0..<min(failures, 60) where pause < limit { pause *= 2 }
        return min(pause, limit)
    }
}
