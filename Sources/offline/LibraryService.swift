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
    /// Opens the library in this process, or reaches the server that has it.
    static func open(_ directory: LibraryDirectory) async throws -> any LibraryService {
        do throws(LibraryError) {
            return LocalLibrary(try Library(LibraryConfiguration(directory: directory)))
        } catch {
            guard error.code == .inUse, let file = ServerFile.read(directory) else { throw error }
            let remote = try RemoteLibrary(file)
            guard await remote.answers() else { throw error }
            return remote
        }
    }
}
