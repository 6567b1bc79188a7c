// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsFiles
import TidingsHTTP

/// The operations of the commands on a library that this process or a running server has open.
protocol LibraryService: Sendable {
    /// Queues a download; a running server starts it by itself.
    func enqueue(_ request: DownloadRequest) async throws -> ItemRepresentation
    /// Downloads the items, or polls the server, until each item is ready or failed.
    ///
    /// - Parameters:
    ///   - ids: The items.
    ///   - show: Called for each change and for the progress, one call at a time.
    /// - Returns: The items at their ends.
    /// - Throws: An error of the library or of the connection to its server.
    func follow(
        _ ids: [ItemID],
        show: @escaping @Sendable (FollowedChange) -> Void
    ) async throws -> [ItemRepresentation]
    /// Returns the items that contain all words of a search; all items for an empty one.
    func items(matching words: String) async throws -> [ItemRepresentation]
    func refresh(_ options: RefreshOptions) async throws -> RefreshReport
    /// Begins to verify the files of items; empty for all.
    ///
    /// With `acceptsSubtitles`, changed subtitles are recorded as they are now.
    func verify(_ ids: [ItemID], acceptsSubtitles: Bool) async throws -> VerificationReport
    /// Returns the progress or the result of a verification.
    func verification(_ run: Int) async throws -> VerificationReport
    func stopVerification(_ run: Int) async throws
    /// Adds the content of an exported library.
    func importItems(_ file: FileDescriptor, allowsPrivate: Bool) async throws -> ImportReport
    /// Returns an item with its subtitles and chapters.
    func details(of id: ItemID) async throws -> ItemRepresentation
    /// Gives an item another title, and its finished file the name of that title.
    func rename(_ id: ItemID, to title: String) async throws -> ItemRepresentation
    func pause(_ id: ItemID) async throws
    /// Ends the recording of a live stream, whose file is then made of the segments until now.
    func stopRecording(_ id: ItemID) async throws
    /// Queues a paused, failed or missing item again; a running server starts it by itself.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - address: The address that replaces the item's own; nil keeps it.
    /// - Throws: An error of the library or of the connection to its server.
    func retry(_ id: ItemID, at address: WebAddress?) async throws
    func remove(_ id: ItemID, withFile: Bool) async throws
    /// Ends an unfinished download, and removes its item and its data.
    func cancel(_ id: ItemID) async throws
    /// Applies an action to all items that it concerns, and returns their number.
    func change(all action: CommonAction) async throws -> Int
    /// Moves a queued item in the order of the queue.
    func move(_ id: ItemID, to place: QueuePlace) async throws
    /// Returns all collections by name.
    func collections() async throws -> [MediaCollection]
    func makeCollection(
        _ name: CollectionName,
        _ items: [ItemID]
    ) async throws -> MediaCollection
    /// Changes the name or the items of a collection; nil keeps them.
    func change(
        _ id: CollectionID,
        name: CollectionName?,
        items: CollectionItems?
    ) async throws -> MediaCollection
    /// Removes a collection; its items stay.
    func removeCollection(_ id: CollectionID) async throws
    func settings() async throws -> DownloadSettings
    /// Changes settings, which take effect at once, and returns all of them.
    func changeSettings(_ texts: [SettingKey: String]) async throws -> DownloadSettings
    /// Stops the work of this process; a running server continues.
    func stop() async
    /// Whether a running server downloads the items.
    var isServed: Bool { get }
}

extension LibraryService {
    /// Queues a paused, failed or missing item again.
    func retry(_ id: ItemID) async throws { try await retry(id, at: nil) }
}

/// Opens a library in this process or through its running server.
enum LibraryAccess {
    private static let retryDelay = Duration.milliseconds(200)
    /// The number of attempts; a server that has the lock responds within this time.
    private static let maximumTries = 15

    /// Opens the library in this process, or connects to the server that has it open.
    ///
    /// Waits some seconds for a server that is starting, or for a short command that is ending.
    static func open(_ environment: Environment) async throws -> any LibraryService {
        try await connect(environment.directory) { () throws(LibraryError) in
            try openHere(environment)
        } orTo: {
            $0
        }
    }

    /// Opens a library with `open`, or connects to the server that has it open.
    ///
    /// Waits some seconds for a server that is starting, or for a short command that is ending.
    ///
    /// - Throws: The error of `open`; `.inUse` only after the last attempt.
    static func connect<Value>(
        _ directory: LibraryDirectory,
        open: () throws(LibraryError) -> Value,
        orTo use: (RemoteLibrary) -> Value
    ) async throws -> Value {
        for _ in 0..<maximumTries {
            do throws(LibraryError) {
                return try open()
            } catch {
                guard error.code == .inUse else { throw error }
            }
            if let remote = await runningServer(of: directory) { return use(remote) }
            try await ContinuousClock().sleep(for: retryDelay)
        }
        return try open()
    }

    /// Opens the library in this process, without waiting.
    ///
    /// - Throws: `LibraryError`; `.inUse` if another process has it open.
    static func openHere(
        _ environment: Environment
    ) throws(LibraryError) -> any LibraryService {
        let configuration = LibraryConfiguration(directory: environment.directory)
        let library = try Library(configuration)
        note(library)
        return LocalLibrary(library, reports: environment.reports)
    }

    /// Prints that the registry was damaged, and that files have new names.
    static func note(_ library: Library) {
        if let damage = library.damage { Terminal.note(Terminal.clean(damage.message)) }
        guard library.movedFiles > 0 else { return }
        let files = library.movedFiles == 1 ? "1 file has" : "\(library.movedFiles) files have"
        Terminal.note(
            "\(files) moved to \(Terminal.clean(library.directory.media)), named by title."
        )
    }

    /// Returns the running server of a library; nil if there is none or it does not respond.
    static func runningServer(of directory: LibraryDirectory) async -> RemoteLibrary? {
        guard let file = ServerFile.read(directory), let remote = try? RemoteLibrary(file),
            await remote.isReachable()
        else { return nil }
        return remote
    }
}
