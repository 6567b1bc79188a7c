// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

extension DownloadEnvironment {
    /// Tries until it works, with pauses, as long as the failures are of a kind that passes.
    ///
    /// The item's progress tells the person about a pause. `kept` tells how many bytes are on disk;
    /// more than ever before start the count of failures anew. A pause ends at once when the
    /// network is back.
    ///
    /// - Throws: `.offline` after a failure for which a missing network is reason enough.
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
                if needsNetwork, connectivity.isOffline { throw DownloadError(offline: error) }
                let now = kept()
                failures = now > most ? 1 : failures + 1
                most = max(most, now)
                error.retries = failures - 1
                let delay = retries.delay(
                    afterFailures: failures,
                    retryAfter: error.retryAfter,
                    jitter: Double.random(in: 0...1)
                )
                guard error.isTransient, let delay else { throw error }
                board.update(id) { $0.waiting = "\(error.message) Trying again by itself." }
                defer { board.update(id) { $0.waiting = nil } }
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
    /// Whether a missing network is reason enough for it.
    fileprivate var needsNetwork: Bool { code == .connection && isTransient }

    fileprivate init(offline cause: DownloadError) {
        self.init(.offline, "Offline: it goes on when the network is back.", cause: cause)
    }
}
