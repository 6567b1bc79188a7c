// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Tidings
import TidingsHTTP
import TidingsSQLite

/// How a library is opened.
package struct LibraryConfiguration: Sendable {
    package var directory: LibraryDirectory
    package var userAgent = "offline/1.0"
    /// Whether every request may contact private addresses, as if it had asked to.
    package var allowsPrivateAddresses = false
    package var messages = MessageCenter()
    package var clock: any Clock<Duration> = ContinuousClock()
    package var retries = RetryPolicy()
    /// Where it is learned whether there is a network.
    package var connectivity: any ConnectivitySource = SystemConnectivity()
    /// The present boot, so that tests can pretend another.
    package var bootID = BootID.current()
    /// Called at each moment at which a kill has to be harmless.
    package var reachCheckpoint: @Sendable (Checkpoint) -> Void = { _ in }

    package init(directory: LibraryDirectory) {
        self.directory = directory
    }
}

/// An offline media library: give it an address, get a file that plays without a network.
///
/// One process works on a library at a time: the lock is held until `stop`, or the object's end.
/// Every method is safe from any thread.
package final class Library: Sendable {
    package let directory: LibraryDirectory
    package let messages: MessageCenter
    package let journal: ItemJournal
    package let board = ProgressBoard()
    /// What is being downloaded; unknown before the start.
    package let queueState = StatePublisher<QueueState>()
    /// Whether there is a network; unknown before the start.
    package let connectivity: ConnectivityWatch
    /// The catalogue of lessons, if the person chose one; loaded from the start of the whole library.
    package let catalogue: CatalogueSource
    private let configuration: LibraryConfiguration
    private let lock: LibraryLock
    private let work = Lock<Work?>(nil)

    /// What runs between start and stop.
    private struct Work: Sendable {
        let queue: DownloadQueue
        let clients: HTTPClients
    }

    /// Opens a library and makes it when there is none.
    ///
    /// - Throws: `LibraryError`; `.inUse` when another process works on it.
    package init(_ configuration: LibraryConfiguration) throws(LibraryError) {
        self.configuration = configuration
        directory = configuration.directory
        messages = configuration.messages
        connectivity = ConnectivityWatch(messages: messages)
        do {
            try directory.create()
        } catch {
            throw LibraryError(
                .cannotOpen,
                "The library \(directory.path) cannot be made (\(error)). "
                    + "Choose another folder with --library.",
                cause: error
            )
        }
        lock = try LibraryLock(directory)
        do {
            let registry = try Registry(path: directory.registry)
            try registry.requeueInterrupted()
            journal = try ItemJournal(registry: registry, messages: messages)
            catalogue = try CatalogueSource(registry, configuration)
        } catch {
            throw LibraryError(opening: error)
        }
        // Here and not at the start: a command that finds its item ready starts nothing.
        sweepWork()
    }

    /// Begins to work on what is queued, what an earlier process left behind first.
    ///
    /// - Parameters:
    ///   - ownServer: Where the sample stream can be had, in a process that serves it.
    ///   - id: The one item to work on; nil for all.
    /// - Precondition: It was not started before.
    package func start(ownServer: OwnServer? = nil, only id: ItemID? = nil) async {
        let clients = HTTPClients(userAgent: configuration.userAgent, ownServer: ownServer)
        let queue = DownloadQueue(
            DownloadEnvironment(
                directory: directory,
                journal: journal,
                board: board,
                clients: clients,
                connectivity: connectivity,
                clock: configuration.clock,
                bootID: configuration.bootID,
                retries: configuration.retries,
                reachCheckpoint: configuration.reachCheckpoint
            ),
            publisher: queueState
        )
        work.withLock { work in
            precondition(work == nil, "A library is started once.")
            work = Work(queue: queue, clients: clients)
        }
        connectivity.start(configuration.connectivity)
        if id == nil { catalogue.start(clients) }
        await queue.start(id.map { .only($0) } ?? .everything)
    }

    /// Stops all work, keeps everything, and gives the library to whoever wants it next.
    package func stop() async {
        let work = work.withLock { $0 }
        connectivity.stop()
        await catalogue.stop()
        await work?.queue.stop()
        work?.clients.close()
        lock.release()
    }

    private var queue: DownloadQueue? { work.withLock { $0 }?.queue }

    /// The item, as the registry holds it.
    package func item(_ id: ItemID) throws(LibraryError) -> MediaItem {
        let item: MediaItem?
        do {
            item = try journal.registry.item(id)
        } catch {
            throw LibraryError(error)
        }
        guard let item else {
            throw LibraryError(
                .notFound,
                "There is no item \(id). `offline list` shows those there are."
            )
        }
        return item
    }

    /// The path of an item's finished file, nil while there is none.
    package func path(of item: MediaItem) -> String? {
        guard item.state == .ready, let name = item.fileName else { return nil }
        return directory.mediaFile(name)
    }

    /// Asks the library to keep something; the answer is committed when this returns.
    ///
    /// The same address with the same rendition is the same item: it goes on when unfinished, and
    /// is left alone when its file is there.
    package func enqueue(_ request: DownloadRequest) async throws(LibraryError) -> EnqueueResult {
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
        let result: EnqueueResult
        do {
            result = try register(request)
        } catch {
            throw LibraryError(error)
        }
        await queue?.admit(result.item.id)
        return result
    }

    /// Tries a failed or missing item again; what it has is kept.
    package func retry(_ id: ItemID) async throws(LibraryError) -> MediaItem {
        let item = try item(id)
        guard item.state == .failed || item.state == .missing else {
            throw LibraryError(
                .notRetryable,
                "Item \(id) has not failed; it is \(item.state.rawValue)."
            )
        }
        let queued: MediaItem?
        do {
            queued = try requeue(item)
        } catch {
            throw LibraryError(error)
        }
        await queue?.admit(id)
        return queued ?? item
    }

    /// Forgets an item and what of it is unfinished.
    ///
    /// Without `withFile` a finished file stays in the library's folder, and *Import* brings it
    /// back.
    package func remove(_ id: ItemID, withFile: Bool) async throws(LibraryError) {
        _ = try item(id)
        await queue?.withdraw(id)
        let result = Result { () throws(LibraryError) in try forget(id, withFile: withFile) }
        await queue?.admit(id)
        try result.get()
    }

    /// The row goes first: what is left on the disk after a kill shows in the next refresh.
    private func forget(_ id: ItemID, withFile: Bool) throws(LibraryError) {
        let item = try item(id)
        do {
            try journal.remove(id)
            if withFile, let name = item.fileName {
                try Disk.removeFile(directory.mediaFile(name))
            }
            try Disk.removeFile(directory.picture(of: id))
        } catch {
            throw LibraryError(error)
        }
        Disk.removeFolder(directory.work(of: id))
    }

    private func register(_ request: DownloadRequest) throws(SQLiteError) -> EnqueueResult {
        let title = request.title ?? Title(source: request.source).text
        guard !request.again else {
            return .created(try journal.insert(request, title: title, at: Date()))
        }
        let (known, isNew) = try journal.insertUnlessKnown(request, title: title, at: Date())
        if isNew { return .created(known) }
        if known.state == .ready, path(of: known).flatMap(Disk.size(of:)) == known.size {
            return .alreadyReady(known)
        }
        if request.allowsPrivateAddresses, !known.allowsPrivateAddresses {
            try journal.change(known.id, .allowsPrivateAddresses(true))
        }
        guard !known.state.isActive else { return .resumed(known) }
        return .resumed(try requeue(known) ?? known)
    }

    /// Leaves an item alone that went on since it was read.
    private func requeue(_ item: MediaItem) throws(SQLiteError) -> MediaItem? {
        let queued = try journal.change(item.id, in: item.state, .state(.queued), .failure(nil))
        if let queued { return queued }
        return try journal.registry.item(item.id)
    }

    /// Takes away the work of items that are gone or ready.
    private func sweepWork() {
        let names = Disk.names(in: directory.work)
        // Without an answer of the registry nobody knows what is to be kept.
        guard !names.isEmpty, let items = try? journal.registry.items() else { return }
        let kept = Set(items.filter { $0.state != .ready }.map(\.id.description))
        for name in names where !kept.contains(name) {
            Disk.removeFolder("\(directory.work)/\(name)")
        }
    }
}
