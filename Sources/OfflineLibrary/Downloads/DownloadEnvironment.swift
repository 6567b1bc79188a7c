// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// What every download of a library works with.
struct DownloadEnvironment: Sendable {
    let directory: LibraryDirectory
    let journal: ItemJournal
    let board: ProgressBoard
    let clients: HTTPClients
    let clock: any Clock<Duration>
    let bootID: String?
    let retries: RetryPolicy
    let reachCheckpoint: @Sendable (Checkpoint) -> Void

    /// How many segments of one stream are fetched at once.
    static let segmentTransfers = 4

    /// Tries until it works, with pauses, as long as the failures are of a kind that passes.
    ///
    /// The item's progress tells the person about a pause. `kept` tells how many bytes are on disk;
    /// more than ever before start the count of failures anew.
    func retrying<Value: Sendable>(
        _ id: ItemID,
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
                    try await clock.sleep(for: delay)
                } catch {
                    throw DownloadError(.cancelled, "The download was stopped.")
                }
            }
        }
    }
}
