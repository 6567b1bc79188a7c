// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// The network as the retries of requests need it.
package protocol RetryNetwork: Sendable {
    /// Whether the machine is known to be offline.
    var isOffline: Bool { get }

    /// Sleeps until the duration has elapsed or the network returns, whichever comes first.
    ///
    /// - Parameters:
    ///   - duration: The longest sleep.
    ///   - clock: The clock that measures the duration.
    ///   - isOffline: Whether the machine was offline when the caller decided to sleep.
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(
        for duration: Duration,
        on clock: any Clock<Duration>,
        sinceOffline isOffline: Bool
    ) async throws
}

/// Repeats work whose errors are transient.
package struct RequestRetries: Sendable {
    let connectivity: any RetryNetwork
    /// The clock that measures the pauses.
    let clock: any Clock<Duration>
    /// The length of the pauses and the number of attempts.
    let policy: DownloadRetryPolicy
    /// Called with the reason when a pause starts, and with nil when the pause ends.
    let showWaiting: @Sendable (String?) -> Void

    /// Creates retries.
    package init(
        connectivity: any RetryNetwork,
        clock: any Clock<Duration>,
        policy: DownloadRetryPolicy,
        showWaiting: @escaping @Sendable (String?) -> Void
    ) {
        self.connectivity = connectivity
        self.clock = clock
        self.policy = policy
        self.showWaiting = showWaiting
    }

    /// Runs `work` until it succeeds, with pauses in between, as long as the errors are transient.
    ///
    /// A pause after a connection failure ends immediately when the network is back. `storedBytes`
    /// returns the number of bytes on disk. A new maximum resets the count of failures.
    ///
    /// - Throws: `.offline` after a transient connection failure without a network, unless the
    ///   address is local.
    package func run<Value: Sendable>(
        at address: WebAddress,
        storedBytes: () -> Int64 = { 0 },
        work: () async throws -> Value
    ) async throws(DownloadError) -> Value {
        var failures = 0
        var maximum = storedBytes()
        while true {
            do {
                return try await work()
            } catch {
                var error = DownloadError(error)
                let needsNetwork = error.needsNetwork && !address.isLocal
                if needsNetwork, connectivity.isOffline { throw DownloadError(offline: error) }
                let stored = storedBytes()
                failures = stored > maximum ? 1 : failures + 1
                maximum = max(maximum, stored)
                error.retries = failures - 1
                let delay = policy.delay(
                    afterFailures: failures,
                    retryAfter: error.retryAfter,
                    jitter: Double.random(in: 0...1)
                )
                guard error.isTransient, let delay else { throw error }
                showWaiting("\(error.message) Retrying automatically.")
                defer { showWaiting(nil) }
                do {
                    if needsNetwork {
                        try await connectivity.sleep(
                            for: delay,
                            on: clock,
                            sinceOffline: false
                        )
                    } else {
                        try await clock.sleep(for: delay)
                    }
                } catch {
                    throw DownloadError(.cancelled, "The download was stopped.")
                }
            }
        }
    }
}

extension DownloadError {
    /// Whether a missing network can be the cause.
    fileprivate var needsNetwork: Bool { code == .connection && isTransient }

    fileprivate init(offline cause: DownloadError) {
        self.init(
            .offline,
            "Offline. The download continues when the network is back.",
            cause: cause
        )
    }
}
