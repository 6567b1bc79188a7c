// SPDX-License-Identifier: Apache-2.0

/// How long to wait before trying again: doubling, with jitter, never less than the server asked.
package struct RetryPolicy: Hashable, Sendable {
    /// Tries in a row without a byte gained after which a download fails.
    package var maximumTries: Int
    package var firstDelay: Duration
    package var longestDelay: Duration
    /// A server that asks for a longer pause than this is taken to refuse.
    package var longestRetryAfter: Duration

    package init(
        maximumTries: Int = 6,
        firstDelay: Duration = .seconds(1),
        longestDelay: Duration = .seconds(60),
        longestRetryAfter: Duration = .seconds(3_600)
    ) {
        self.maximumTries = maximumTries
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
    }

    /// The pause after so many failures in a row, nil when it is time to give up.
    ///
    /// It is never below `retryAfter`, what the server asked for, and nil if that is too long to
    /// wait for. `jitter`, from 0 to 1, spreads the
    /// tries of many downloads over half of the pause.
    package func delay(
        afterFailures failures: Int,
        retryAfter: Duration?,
        jitter: Double
    ) -> Duration? {
        let retryAfter = retryAfter ?? .zero
        guard failures < maximumTries, retryAfter <= longestRetryAfter else { return nil }
        var delay = firstDelay
        for _ in 1..<max(1, failures) where delay < longestDelay { delay = delay * 2 }
        delay = min(delay, longestDelay)
        let spread = delay * (0.5 + 0.5 * min(max(jitter, 0), 1))
        return max(spread, retryAfter)
    }
}
