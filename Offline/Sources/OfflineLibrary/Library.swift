// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import OfflineDownloads
package import OfflineModel
package import OfflineSources
import OfflineStore
package import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// A media library that downloads addresses to files, which play without a network.
///
/// The library works on demand, and after `start` also by itself. All methods are safe from any
/// thread.
package final class Library: Sendable {
    /// The version of the program.
    package static let version = "1.0.0"

    /// The opened registry.
    package let open: OpenLibrary
    /// The progress of the running downloads.
    package let progress = ProgressStore()
    /// The state of the download queue, without a value before `start`.
    package let queueState = StatePublisher<QueueState>()
    /// The network state.
    package let connectivity: ConnectivityMonitor
    /// The catalog of lessons at the address that the user has set.
    package let catalog: CatalogSource
    /// The followed feeds.
    package let feeds: FeedChecks
    /// The verification of the files.
    package let verification = Verification()
    let queue: DownloadQueue
    let clients: HTTPClients
    /// The checks and the pictures of imported items.
    let importWork: ImportWork
    /// The copies of films with another sound.
    let sounds: SoundCopies
    /// The places for files that users upload.
    let uploadPlaces = UploadPlaces()
    /// Renames files, one at a time.
    let renaming = DispatchQueue(label: "offline.rename")
    /// The watch of the requests that other commands store.
    private let requests: FolderWatch
    private let isStarted = Lock(false)

    /// Creates the services of an opened library.
    ///
    /// - Parameters:
    ///   - open: The library.
    ///   - ownServer: The server of this process, which has the sample stream, or nil without a
    ///     server.
    package init(_ open: OpenLibrary, ownServer: OwnServer? = nil) {
        let (configuration, directory) = (open.configuration, open.directory)
        self.open = open
        connectivity = ConnectivityMonitor(configuration.connectivity, messages: open.messages)
        clients = HTTPClients(
            userAgent: configuration.userAgent,
            patience: configuration.patience,
            ownServer: ownServer
        )
        let queue = DownloadQueue(
            DownloadEnvironment(
                directory: directory,
                journal: open.journal,
                progress: progress,
                clients: clients,
                space: open.space,
                sources: configuration.sources,
                connectivity: connectivity,
                clock: configuration.clock,
                bootID: configuration.bootID,
                retries: configuration.retries,
                reachCheckpoint: configuration.reachCheckpoint,
                importRequests: { [weak open] in open?.importRequests() ?? [] },
                localTime: configuration.localTime
            ),
            publisher: queueState
        )
        self.queue = queue
        catalog = CatalogSource(open, clients)
        feeds = FeedChecks(
            FeedCheck(
                journal: open.journal,
                connectivity: connectivity,
                configuration: configuration,
                clients: clients,
                admit: { await queue.admit($0) },
                remove: { [weak open] id, feed in
                    guard let open else { return }
                    try await ExpiredItem(id: id, feed: feed, library: open, queue: queue).remove()
                }
            )
        )
        importWork = ImportWork(open.journal, directory)
        sounds = SoundCopies(directory, open.space)
        requests = FolderWatch(directory.requests) { Task { await queue.importRequests() } }
    }

    /// Opens a library and creates the services.
    ///
    /// - Throws: The errors of `OpenLibrary`.
    package convenience init(_ configuration: LibraryConfiguration) throws(LibraryError) {
        self.init(try OpenLibrary(configuration))
    }

    /// Starts the queued downloads, and for all items also the work on feeds, imports and the
    /// catalog.
    ///
    /// Downloads of earlier processes come first. A second call for all items does nothing, and
    /// neither does a call after `stop`.
    ///
    /// - Parameter ids: The only items to download, or nil for all items.
    package func start(only ids: Set<ItemID>? = nil) async {
        if let ids { return await queue.start(.only(ids)) }
        let isFirst = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard isFirst else { return }
        catalog.start()
        importWork.start()
        feeds.start()
        await queue.start(.everything)
    }

    /// Stops all work, keeps the data and releases the lock of the library.
    package func stop() async {
        requests.cancel()
        await stopSounds()
        await verification.finish()
        await importWork.stop()
        connectivity.stop()
        await catalog.stop()
        await feeds.stop()
        await queue.stop()
        clients.close()
        open.removePartialUploads()
        open.close()
    }
}

extension Library {
    /// The folder of the library.
    package var directory: LibraryDirectory { open.directory }
    /// The center that receives the library's messages.
    package var messages: MessageCenter { open.messages }
    /// The items and their changes.
    package var journal: ItemJournal { open.journal }
    var space: DiskSpace { open.space }
    var configuration: LibraryConfiguration { open.configuration }

    /// Returns an item of the registry.
    ///
    /// - Throws: `LibraryError` with `.notFound` if the item does not exist.
    package func item(_ id: ItemID) throws(LibraryError) -> MediaItem {
        let item = try LibraryError.rethrowing { try journal.items.item(id) }
        guard let item else { throw LibraryError(noItem: id) }
        return item
    }

    /// Returns the path of an item's finished file, or nil if the item is not ready.
    package func path(of item: MediaItem) -> String? { open.path(of: item) }

    /// Queues a download.
    ///
    /// The result is committed when this method returns.
    ///
    /// A request with the origin and choice of an existing item refers to that item. An unfinished
    /// item is resumed, and a complete item stays unchanged.
    package func enqueue(_ request: DownloadRequest) async throws(LibraryError) -> EnqueueResult {
        let result = try LibraryError.rethrowing { try open.register(request) }
        if case .alreadyReady(let item) = result, let checksum = request.options.checksum {
            try await compare(item, with: checksum)
        }
        if let limit = request.options.limit {
            clients.itemLimits.change(result.item.id, to: limit)
        }
        await queue.admit(result.item.id)
        return result
    }
}
