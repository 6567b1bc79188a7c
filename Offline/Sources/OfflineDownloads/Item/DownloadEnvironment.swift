// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import OfflineSources
package import OfflineStore

/// The dependencies that all downloads of a library share.
package struct DownloadEnvironment: Sendable {
    /// The folder of the library.
    let directory: LibraryDirectory
    /// The journal of all changes of items.
    let journal: ItemJournal
    /// The progress of the running downloads.
    let progress: ProgressStore
    /// The clients for public and private addresses.
    let clients: HTTPClients
    /// The free space of the disk.
    let space: DiskSpace
    /// The sources that recognize media.
    let sources: MediaSources
    /// The connectivity of the machine.
    let connectivity: ConnectivityMonitor
    /// The clock for pauses and limits of time.
    let clock: any Clock<Duration>
    /// The identifier of the start of the system, or nil if the system has none.
    let bootID: String?
    /// The delays between retries.
    var retries: DownloadRetryPolicy
    /// The closure to call at each checkpoint, with which tests end the process.
    let reachCheckpoint: @Sendable (Checkpoint) -> Void
    /// Creates items for the stored requests of other commands and returns the items.
    var importRequests: @Sendable () -> [ItemID] = { [] }

    /// The wall clock for the download hours.
    var localTime = LocalTime()

    /// The connections of all downloads.
    let hosts = HostConnections()
    /// The part requests of all downloads.
    let parts = PartPlaces()

    /// Creates the dependencies.
    package init(
        directory: LibraryDirectory,
        journal: ItemJournal,
        progress: ProgressStore,
        clients: HTTPClients,
        space: DiskSpace,
        sources: MediaSources,
        connectivity: ConnectivityMonitor,
        clock: any Clock<Duration>,
        bootID: String?,
        retries: DownloadRetryPolicy,
        reachCheckpoint: @escaping @Sendable (Checkpoint) -> Void,
        importRequests: @escaping @Sendable () -> [ItemID] = { [] },
        localTime: LocalTime = LocalTime()
    ) {
        self.directory = directory
        self.journal = journal
        self.progress = progress
        self.clients = clients
        self.space = space
        self.sources = sources
        self.connectivity = connectivity
        self.clock = clock
        self.bootID = bootID
        self.retries = retries
        self.reachCheckpoint = reachCheckpoint
        self.importRequests = importRequests
        self.localTime = localTime
    }

    /// The number of concurrent part requests of one item if the number does not adapt to the
    /// server.
    static let partTransfers = PartParallelism.first
}
