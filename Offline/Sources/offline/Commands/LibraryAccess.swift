// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineApp
import OfflineLibrary
import OfflineModel
import OfflineStore

/// Opens a library in this process or through a running server.
enum LibraryAccess {
    private static let retryDelay = Duration.milliseconds(200)
    /// The number of attempts.
    ///
    /// A server that has the lock responds within this time.
    private static let maximumTries = 15

    /// Opens the library in this process, or connects to the server that has the library open.
    ///
    /// The function waits some seconds for a server that is starting, or for a short command that
    /// is ending.
    static func open(_ environment: Environment) async throws -> Connection<Library> {
        try await connect(environment.directory) { () throws(LibraryError) in
            try openHere(environment)
        } orTo: {
            .server($0)
        }
    }

    /// Opens a library with `open`, or connects to the server that has the library open.
    ///
    /// The function waits some seconds for a server that is starting, or for a short command that
    /// is ending.
    ///
    /// - Throws: The error of `open`. `.inUse` is thrown only after the last attempt.
    static func connect<Value>(
        _ directory: LibraryDirectory,
        open: () throws(LibraryError) -> Value,
        orTo use: (APIClient) -> Value
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
    /// - Throws: `LibraryError`, with `.inUse` if another process has the library open.
    static func openHere(
        _ environment: Environment
    ) throws(LibraryError) -> Connection<Library> {
        let configuration = LibraryConfiguration(directory: environment.directory)
        let library = try Library(configuration)
        note(library.open)
        environment.reports?.follow(library)
        return .here(library)
    }

    /// Prints that the registry was damaged, and that files have new names.
    static func note(_ library: OpenLibrary) {
        if let damage = library.damage { Terminal.note(Terminal.clean(damage.message)) }
        guard library.movedFiles > 0 else { return }
        let files = library.movedFiles == 1 ? "1 file has" : "\(library.movedFiles) files have"
        Terminal.note(
            "\(files) moved to \(Terminal.clean(library.directory.media)), named by title."
        )
    }

    /// Returns the running server of a library after a longer wait for a busy server.
    static func patientServer(of directory: LibraryDirectory) async -> APIClient? {
        // A server that does not run refuses the connection immediately.
        for _ in 0..<6 where ServerFile.read(directory) != nil {
            if let server = await runningServer(of: directory) { return server }
        }
        return nil
    }

    /// Returns the running server of a library, or nil if no server responds.
    ///
    /// - Parameters:
    ///   - directory: The library.
    ///   - patience: The time without a byte after which a request fails. Nil is the usual time.
    /// - Returns: A client of the server, or nil.
    static func runningServer(
        of directory: LibraryDirectory,
        patience: Duration? = nil
    ) async -> APIClient? {
        // A stopped server must not delay a command, which can store a request without the server.
        guard let file = ServerFile.read(directory),
            let probe = try? APIClient(file, patience: .seconds(5))
        else { return nil }
        defer { probe.close() }
        let first = ItemListing.page(ItemQuery(count: 1))
        guard (try? await probe.call(API.items.list, first)) != nil else { return nil }
        return try? APIClient(file, patience: patience)
    }
}
