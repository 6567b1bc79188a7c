// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Repeats work whose errors are transient.
struct RequestRetries: Sendable {
    let connectivity: ConnectivityMonitor
    let clock: any Clock<Duration>
    let policy: DownloadRetryPolicy
    /// Called with the reason of a pause at its begin, and with nil at its end.
    let showWaiting: @Sendable (String?) -> Void

    /// Runs `work` until it succeeds, with pauses in between, as long as its errors are transient.
    ///
    /// A pause after a connection failure ends at once when the network is back. `storedBytes`
    /// returns the number of bytes on disk; a new maximum resets the count of failures.
    ///
    /// - Throws: `.offline` after a transient connection failure without a network, unless the
    ///   address is local.
    func run<Value: Sendable>(
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
                        try await connectivity.sleep(for: delay, on: clock)
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
