// SPDX-License-Identifier: Apache-2.0

/// The delays between retries: exponential with jitter, never shorter than `Retry-After`.
package struct DownloadRetryPolicy: Hashable, Sendable {
    /// The number of consecutive attempts without a new byte after which a download fails.
    package var maximumTries: Int
    /// The delay after the first failure.
    ///
    /// The delay doubles with each further failure.
    package var firstDelay: Duration
    /// The upper bound of the delay.
    package var longestDelay: Duration
    /// The longest `Retry-After` of a server that counts as a delay.
    ///
    /// A longer value counts as a refusal.
    package var longestRetryAfter: Duration

    /// Creates a policy.
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

    /// Returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures.
    ///   - retryAfter: The delay that the server requires.
    ///   - jitter: A number from 0 to 1, which spreads the attempts of many downloads over half of
    ///     the delay.
    /// - Returns: The delay, never shorter than `retryAfter`. The result is nil after the maximum
    ///   number of tries and for a `retryAfter` that is longer than `longestRetryAfter`.
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
