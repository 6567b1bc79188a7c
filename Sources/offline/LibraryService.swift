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
    static func open(_ directory: LibraryDirectory) async throws -> any LibraryService {
        for _ in 0..<patience {
            if let library = try await openOnce(directory) { return library }
            try await ContinuousClock().sleep(for: pause)
        }
        return LocalLibrary(try Library(LibraryConfiguration(directory: directory)))
    }

    /// Nil when another process has the library and does not answer.
    private static func openOnce(
        _ directory: LibraryDirectory
    ) async throws -> (any LibraryService)? {
        do throws(LibraryError) {
            return LocalLibrary(try Library(LibraryConfiguration(directory: directory)))
        } catch {
            guard error.code == .inUse else { throw error }
        }
        guard let file = ServerFile.read(directory) else { return nil }
        let remote = try RemoteLibrary(file)
        return await remote.answers() ? remote : nil
    }
}
