// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// The dependencies that all downloads of a library share.
struct DownloadEnvironment: Sendable {
    let directory: LibraryDirectory
    let journal: ItemJournal
    let progress: ProgressStore
    let clients: HTTPClients
    let space: DiskSpace
    let sources: MediaSources
    let connectivity: ConnectivityMonitor
    let clock: any Clock<Duration>
    let bootID: String?
    var retries: DownloadRetryPolicy
    let reachCheckpoint: @Sendable (Checkpoint) -> Void
    /// Makes items of the stored requests of other commands, and returns them.
    var importRequests: @Sendable () -> [ItemID] = { [] }

    /// The wall clock of the hours in which to download.
    var localTime = LocalTime()

    /// The connections of all downloads.
    let hosts = HostConnections()
    /// The part requests of all downloads.
    let parts = PartPlaces()

    /// The number of concurrent part requests of one item that does not adapt to its server.
    static let partTransfers = PartParallelism.first
}
