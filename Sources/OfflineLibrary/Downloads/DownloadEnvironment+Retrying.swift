// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

extension DownloadEnvironment {
    /// Tries until it works, with pauses, as long as the failures are of a kind that passes.
    ///
    /// The item's progress tells the person about a pause. `kept` tells how many bytes are on disk;
    /// more than ever before start the count of failures anew. So does every failure for which a
    /// missing network is reason enough: the next try waits for the network. It comes after the
    /// longest pause all the same, for what the system knows of its ways out may be wrong.
    func retrying<Value: Sendable>(
        _ id: ItemID,
        at address: WebAddress,
        kept: () -> Int64 = { 0 },
        work: () async throws -> Value
    ) async throws(DownloadError) -> Value {
        var failures = 0
        var most = kept()
        while true {
            do {
                return try await work()
            } catch {
                var error = DownloadError(error)
                let needsNetwork = error.needsNetwork && !address.isLocal
                let isOffline = needsNetwork && connectivity.isOffline
                let now = kept()
                failures = isOffline ? 0 : now > most ? 1 : failures + 1
                most = max(most, now)
                error.retries = max(0, failures - 1)
                let delay = isOffline ? retries.longestDelay : delay(failures, error.retryAfter)
                guard error.isTransient, let delay else { throw error }
                let reason = isOffline ? Self.offline : "\(error.message) Trying again by itself."
                board.update(id) { $0.waiting = reason }
                defer { board.update(id) { $0.waiting = nil } }
                do {
                    if needsNetwork {
                        try await connectivity.sleep(for: delay, on: clock, sinceOffline: isOffline)
                    } else {
                        try await clock.sleep(for: delay)
                    }
                } catch {
                    throw DownloadError(.cancelled, "The download was stopped.")
                }
            }
        }
    }

    static let offline = "Offline: it goes on when the network is back."

    private func delay(_ failures: Int, _ retryAfter: Duration?) -> Duration? {
        retries.delay(
            afterFailures: failures,
            retryAfter: retryAfter,
            jitter: Double.random(in: 0...1)
        )
    }
}

extension DownloadError {
    /// Whether a missing network is reason enough for it.
    fileprivate var needsNetwork: Bool { code == .connection && isTransient }
}
