// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
package import Tidings
import TidingsFiles
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// The configuration of a library.
package struct LibraryConfiguration: Sendable {
    /// The usual `User-Agent` of all requests.
    static let userAgent = "offline/1.0"

    /// The folder of the library.
    package var directory: LibraryDirectory
    /// The `User-Agent` of all requests.
    package var userAgent = userAgent
    /// Whether all downloads may contact private addresses, regardless of their requests.
    package var allowsPrivateAddresses = false
    /// The center that receives the library's messages.
    package var messages = MessageCenter()
    /// The clock of the delays and timeouts.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the time of day, by which feeds are checked.
    var now: @Sendable () -> Date = { Date() }
    /// The delays between retries.
    package var retries = DownloadRetryPolicy()
    /// The source of the network state.
    package var connectivity: any ConnectivitySource = SystemConnectivity()
    /// The wall clock of the hours in which to download.
    package var localTime = LocalTime()
    /// Returns the free bytes of the disk with a path; nil if unknown.
    var freeSpace: @Sendable (_ path: String) -> Int64? = SystemFile.freeSpace
    /// The identifier of the current boot; tests replace it to simulate a reboot.
    package var bootID = BootID.current()
    /// The sources that recognize the content of addresses.
    var sources = MediaSources.standard
    /// Called at each checkpoint, on any thread; the download waits until it returns.
    package var reachCheckpoint: @Sendable (Checkpoint) -> Void = { _ in }

    /// Creates the default configuration for a folder.
    package init(directory: LibraryDirectory) {
        self.directory = directory
    }
}

/// A media library that downloads addresses to files, which play without a network.
///
/// Only one process at a time can open a library. The object holds the lock until `stop` or its
/// release. All methods are safe from any thread.
package final class Library: Sendable {
    /// The version of the program.
    package static let version = "1.0.0"

    /// The folder of the library.
    package let directory: LibraryDirectory
    /// The center that receives the library's messages.
    package let messages: MessageCenter
    /// The items and their changes.
    package let journal: ItemJournal
    /// The progress of the running downloads.
    package let progress = ProgressStore()
    /// The state of the download queue; without a value before `start`.
    package let queueState = StatePublisher<QueueState>()
    /// The network state; unknown before `start`.
    package let connectivity: ConnectivityMonitor
    /// The catalog of lessons at the address that the user has set.
    ///
    /// It is loaded only by a `start` for all items.
    package let catalog: CatalogSource
    /// The followed feeds, which are checked only after a `start` for all items.
    package let feeds: FeedChecks
    /// The damaged registry that was set aside at the opening, or earlier and not yet reported; nil
    /// if the registry was intact.
    package let damage: DamagedRegistry?
    /// The number of files of an earlier version that got their titles as names at the opening.
    package let movedFiles: Int
    /// The checks and the pictures of imported items.
    let importWork: ImportWork
    /// The copies of films with another sound.
    let sounds: SoundCopies
    /// The verification of the files.
    package let verification = Verification()
    /// The space on the disk of the library.
    let space: DiskSpace
    let configuration: LibraryConfiguration
    private let lock: LibraryLock
    private let work = Lock<Work?>(nil)
    private let isClosed = Lock(false)
    /// The files that persons send.
    let uploads = UploadPlaces()
    /// Renames files, one at a time.
    let renaming = DispatchQueue(label: "offline.rename")

    /// The objects that exist between `start` and `stop`.
    private struct Work: Sendable {
        let queue: DownloadQueue
        let clients: HTTPClients
        let requests: FolderWatch
    }

    /// Opens a library and creates it if it does not exist.
    ///
    /// The registry of an earlier version is migrated. A damaged one is set aside, as `damage`
    /// describes, and a new one begins.
    ///
    /// - Throws: `LibraryError`; `.inUse` if another process has opened it, `.newerVersion` if a
    ///   newer version of the program wrote it, and `.migrationFailed`.
    package init(_ configuration: LibraryConfiguration) throws(LibraryError) {
        self.configuration = configuration
        directory = configuration.directory
        space = DiskSpace(configuration.directory, measure: configuration.freeSpace)
        sounds = SoundCopies(directory, space)
        messages = configuration.messages
        connectivity = ConnectivityMonitor(messages: messages)
        do {
            try directory.create()
        } catch {
            throw LibraryError(
                .cannotOpen,
                "The library \(directory.media) cannot be created (\(error.descriptionWithPath)). "
                    + "Choose another folder with --library.",
                cause: error
            )
        }
        lock = try LibraryLock(directory)
        do {
            ((journal, catalog, movedFiles), damage) = try Self.open(configuration, space)
        } catch {
            throw LibraryError(opening: error)
        }
        feeds = FeedChecks(journal, connectivity, configuration)
        importWork = ImportWork(journal, directory)
        // Not in `start`, because a command whose item is ready never calls it.
        removeStaleWork()
        removePartialUploads()
        SoundCopies.removeAll(in: directory)
        importRequests()
    }

    /// Opens the registry; a full disk gets the space of the reserve first.
    private static func open(
        _ configuration: LibraryConfiguration,
        _ space: DiskSpace
    ) throws(SQLiteError) -> ((ItemJournal, CatalogSource, Int), DamagedRegistry?) {
        let opener = RegistryOpener(directory: configuration.directory)
        func attempt() throws(SQLiteError) -> (
            (ItemJournal, CatalogSource, Int), DamagedRegistry?
        ) {
            try opener.open { registry throws(SQLiteError) in
                try registry.requeueInterrupted()
                let movedFiles = NumberedMedia(configuration.directory, registry).move()
                RenamedFiles(directory: configuration.directory, registry: registry).finish()
                return (
                    try ItemJournal(registry: registry, messages: configuration.messages),
                    try CatalogSource(registry, configuration),
                    movedFiles
                )
            }
        }
        do {
            return try attempt()
        } catch {
            guard error.code == .full else { throw error }
            space.releaseReserve()
            return try attempt()
        }
    }

    /// Records that `damage` has been reported, so that the next opening does not return it.
    package func forgetDamage() throws(LibraryError) {
        do {
            try journal.registry.forgetDamage()
        } catch {
            throw LibraryError(error)
        }
    }

    /// Starts the queued downloads, those of earlier processes first.
    ///
    /// - Parameters:
    ///   - ownServer: The server of this process, which has the sample stream; nil without one.
    ///   - ids: The only items to download; nil for all items and the catalog.
    /// - Precondition: The library has not been started.
    package func start(ownServer: OwnServer? = nil, only ids: Set<ItemID>? = nil) async {
        let clients = HTTPClients(userAgent: configuration.userAgent, ownServer: ownServer)
        let queue = DownloadQueue(
            DownloadEnvironment(
                directory: directory,
                journal: journal,
                progress: progress,
                clients: clients,
                space: space,
                sources: configuration.sources,
                connectivity: connectivity,
                clock: configuration.clock,
                bootID: configuration.bootID,
                retries: configuration.retries,
                reachCheckpoint: configuration.reachCheckpoint,
                importRequests: { [weak self] in self?.importRequests() ?? [] },
                localTime: configuration.localTime
            ),
            publisher: queueState
        )
        // The watch reports only requests that arrive later.
        let requests = watchRequests()
        importRequests()
        work.withLock { work in
            precondition(work == nil, "A library can be started only once.")
            work = Work(queue: queue, clients: clients, requests: requests)
        }
        connectivity.start(configuration.connectivity)
        if ids == nil {
            catalog.start(clients)
            importWork.start()
        }
        feeds.start(feedWork(with: clients), isScheduled: ids == nil)
        await queue.start(ids.map { .only($0) } ?? .everything)
    }

    /// Stops all downloads, keeps their data and releases the lock of the library.
    package func stop() async {
        let work = work.withLock { $0 }
        work?.requests.cancel()
        await stopSounds()
        await verification.finish()
        await importWork.stop()
        connectivity.stop()
        await catalog.stop()
        await feeds.stop()
        await work?.queue.stop()
        work?.clients.close()
        removePartialUploads()
        close()
    }

    deinit {
        close()
    }

    /// Leaves the registry to the next process.
    private func close() {
        // Later, the registry belongs to the process that has the lock.
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        journal.registry.leaveWhole()
        lock.release()
    }

    var queue: DownloadQueue? { work.withLock { $0 }?.queue }

    var clients: HTTPClients? { work.withLock { $0 }?.clients }

    /// Returns an item of the registry.
    ///
    /// - Throws: `LibraryError` with `.notFound` if there is no such item.
    package func item(_ id: ItemID) throws(LibraryError) -> MediaItem {
        let item: MediaItem?
        do {
            item = try journal.registry.item(id)
        } catch {
            throw LibraryError(error)
        }
        guard let item else { throw LibraryError(noItem: id) }
        return item
    }

    /// Returns the path of an item's finished file; nil if the item is not ready.
    package func path(of item: MediaItem) -> String? {
        guard item.state == .ready, let name = item.fileName else { return nil }
        return directory.mediaFile(name)
    }

    /// Queues a download; the result is committed when this returns.
    ///
    /// A request with the origin and choice of an existing item refers to that item: an
    /// unfinished one is resumed, a complete one stays unchanged.
    package func enqueue(_ request: DownloadRequest) async throws(LibraryError) -> EnqueueResult {
        let result: EnqueueResult
        do {
            result = try register(request)
        } catch {
            throw LibraryError(error)
        }
        if case .alreadyReady(let item) = result, let checksum = request.options.checksum {
            try await compare(item, with: checksum)
        }
        if let limit = request.options.limit {
            clients?.itemLimits.change(result.item.id, to: limit)
        }
        await queue?.admit(result.item.id)
        return result
    }

    /// Inserts or resumes the item of a request that was made at `date`.
    func register(
        _ request: DownloadRequest,
        at date: Date = Date()
    ) throws(SQLiteError) -> EnqueueResult {
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
        let title = request.title ?? Title(origin: request.origin).text
        guard !request.again else {
            return .created(try journal.insert(request, title: title, at: date))
        }
        let (known, isNew) = try journal.insertUnlessKnown(request, title: title, at: date)
        if isNew { return .created(known) }
        // From now on the person wants it, too.
        try journal.keep(known.id)
        if known.state == .ready, isWhole(known) { return .alreadyReady(known) }
        try journal.registry.updateOptions(of: known.id, by: request.options)
        if request.allowsPrivateAddresses, !known.allowsPrivateAddresses {
            try journal.change(known.id, .allowsPrivateAddresses(true))
        }
        if let live = request.live, known.live != live, known.live?.isOver != true {
            try journal.change(known.id, .live(live))
        }
        guard !known.state.isActive else { return .resumed(known) }
        return .resumed(try requeue(known))
    }

    /// Removes the work folders of items that are ready or no longer exist.
    private func removeStaleWork() {
        let names = SystemFile.names(in: directory.work)
        // Without the registry's items it is unknown which folders to keep; a new one has none.
        guard !journal.registry.isNew else { return }
        for name in names {
            let item: MediaItem?
            do {
                item = try Int64(name).flatMap { number throws(SQLiteError) in
                    try journal.registry.item(ItemID(rawValue: number))
                }
            } catch {
                return
            }
            if item == nil || item?.state == .ready {
                SystemFile.removeFolder("\(directory.work)/\(name)")
            }
        }
    }
}
