// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// What every download of a library works with.
struct DownloadEnvironment: Sendable {
    let directory: LibraryDirectory
    let journal: ItemJournal
    let board: ProgressBoard
    let clients: HTTPClients
    let connectivity: ConnectivityWatch
    let clock: any Clock<Duration>
    let bootID: String?
    let retries: RetryPolicy
    let reachCheckpoint: @Sendable (Checkpoint) -> Void

    /// How many segments of one stream are fetched at once.
    static let segmentTransfers = 4
}
