// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Whether and when a failed load is retried.
///
/// ```swift
/// let policy = RetryPolicy.backoff(attempts: 5) { error in
///     error is DecodingError ? .stop : .retry()
/// }
/// ```
public struct RetryPolicy: Sendable {
    /// The decision on an error.
    public struct Advice: Hashable, Sendable {
        let isRetry: Bool
        let delay: Duration

        /// Do not retry, because another attempt would also fail.
        public static let stop = Advice(isRetry: false, delay: .zero)
        /// Retry after the policy's delay, but not before `delay` has passed, for example at the
        /// request of a server.
        public static func retry(after delay: Duration = .zero) -> Advice {
            Advice(isRetry: true, delay: delay)
        }
    }

    private let attempts: Int
    private let firstDelay: Duration
    private let longestDelay: Duration
    private let advice: @Sendable (any Error) -> Advice
    private(set) var pause: RetryPause?

    /// A policy that never retries.
    public static let never = RetryPolicy(
        attempts: 1,
        firstDelay: .zero,
        longestDelay: .zero,
        advice: { _ in .stop }
    )

    /// Retries after a delay that doubles with each failure.
    ///
    /// Each delay is shortened randomly by up to a half, so that programs that failed together do
    /// not retry together.
    ///
    /// ```swift
    /// let lessons = Resource(options: ResourceOptions(retry: .backoff())) { try await fetch() }
    /// ```
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, including the first attempt, and at least 1.
    ///   - firstDelay: The delay after the first failure.
    ///   - longestDelay: The upper limit of the delay.
    ///   - advice: Returns the decision on an error. The default retries.
    /// - Returns: The policy.
    public static func backoff(
        attempts: Int = 4,
        from firstDelay: Duration = .seconds(1),
        to longestDelay: Duration = .seconds(30),
        advice: @escaping @Sendable (any Error) -> Advice = { _ in .retry() }
    ) -> RetryPolicy {
        require(attempts >= 1, "A load is tried at least once: attempts is \(attempts).")
        return RetryPolicy(
            attempts: attempts,
            firstDelay: firstDelay,
            longestDelay: longestDelay,
            advice: advice
        )
    }

    /// Returns a policy whose retries pause while the machine is offline.
    ///
    /// An attempt that is due waits while `isOffline` returns true for the publisher's value. When
    /// `isOffline` returns false again, the attempt starts immediately, even before the delay is
    /// over. Without a value, as after an error, the machine counts as online.
    ///
    /// ```swift
    /// let policy = RetryPolicy.backoff().pausing(with: connectivity) { $0 == .offline }
    /// ```
    ///
    /// - Parameters:
    ///   - connectivity: The publisher of the connectivity, which is observed only while an attempt
    ///     waits.
    ///   - isOffline: Returns whether a value means offline. The closure is called on the thread
    ///     that changes the value.
    /// - Returns: The policy.
    public func pausing<Value>(
        with connectivity: StatePublisher<Value>,
        isOffline: @escaping @Sendable (Value) -> Bool
    ) -> RetryPolicy {
        var policy = self
        policy.pause = RetryPause(connectivity, isOffline)
        return policy
    }

    /// Returns the delay before the next attempt, or nil for no further attempt.
    ///
    /// The method calls the user's code.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt that failed, 1 for the first.
    ///   - error: The error of that attempt.
    ///   - random: A number from 0 to 1 that determines the random part of the delay.
    /// - Returns: The delay.
    func delay(after attempt: Int, failing error: any Error, random: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let advice = advice(error)
        guard advice.isRetry else { return nil }
        var delay = min(firstDelay, longestDelay)
        for _ in 1..<attempt where delay < longestDelay { delay = min(delay * 2, longestDelay) }
        return max(delay * (1 - random / 2), advice.delay)
    }
}
