// SPDX-License-Identifier: Apache-2.0

/// How often a message is handed to handlers that throw.
public struct RetryPlan: Hashable, Sendable {
    /// The number of attempts, at least 1, after which the message is a dead letter.
    public var attempts: Int
    /// The pause after the first failure, which doubles with each further failure.
    public var firstPause: Duration
    /// The longest pause.
    public var longestPause: Duration
    /// Whether messages wait for the retries of earlier messages of the same origin and key.
    public var keepsOrder: Bool

    /// Creates a plan.
    ///
    /// - Precondition: `attempts` is at least 1.
    package init(
        attempts: Int = 5,
        firstPause: Duration = .seconds(1),
        longestPause: Duration = .seconds(60),
        keepsOrder: Bool = false
    ) {
        precondition(attempts >= 1, "A message has at least one attempt.")
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.keepsOrder = keepsOrder
    }

    /// Returns the pause after a number of failures.
    ///
    /// A message that only waited for another message has no failure and no pause.
    func pause(after failures: Int) -> Duration {
        failures < 1
            ? .zero
            : Backoff.pause(after: failures - 1, first: firstPause, limit: longestPause)
    }
}
