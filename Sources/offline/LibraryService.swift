import OfflineLibrary
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What the commands need of a library, whether this process works on it or a server does.
protocol LibraryService: Sendable {
    /// Registers a request; the item goes on by itself where a server runs.
    func enqueue(_ request: DownloadRequest) async throws -> ItemRepresentation
    /// Works on the item, or watches the server do so, until it is ready or failed.
    func follow(
        _ id: ItemID,
        show: @escaping @Sendable (ItemRepresentation) -> Void
    ) async throws -> ItemRepresentation
    func items() async throws -> [ItemRepresentation]
    func refresh(_ options: RefreshOptions) async throws -> RefreshReport
    func remove(_ id: ItemID, withFile: Bool) async throws
    /// Ends this process's part; a server goes on.
    func stop() async
    /// Whether a server works on the items by itself.
    var isServed: Bool { get }
}

/// Finds out who works on a library.
enum LibraryAccess {
    private static let pause = Duration.milliseconds(200)
    /// A server that has the lock answers after this many pauses at the latest.
    private static let patience = 15

    /// Opens the library in this process, or reaches the server that has it.
    ///
    /// A server that is just starting, and a short command, get a moment to come so far.
    static func open(_ surroundings: Surroundings) async throws -> any LibraryService {
        for _ in 0..<patience {
            if let library = try await openOnce(surroundings) { return library }
            try await ContinuousClock().sleep(for: pause)
        }
        return try openHere(surroundings)
    }

    private static func openHere(_ surroundings: Surroundings) throws(LibraryError) -> LocalLibrary
    {
        let configuration = LibraryConfiguration(directory: surroundings.directory)
        return LocalLibrary(try Library(configuration), reports: surroundings.reports)
    }

    /// Nil when another process has the library and does not answer.
    private static func openOnce(
        _ surroundings: Surroundings
    ) async throws -> (any LibraryService)? {
        do throws(LibraryError) {
            return try openHere(surroundings)
        } catch {
            guard error.code == .inUse else { throw error }
        }
        return await runningServer(of: surroundings.directory)
    }

    /// Returns the server that works on a library, if there is one and it answers.
    static func runningServer(of directory: LibraryDirectory) async -> RemoteLibrary? {
        guard let file = ServerFile.read(directory), let remote = try? RemoteLibrary(file),
            await remote.answers()
        else { return nil }
        return remote
    }
}
