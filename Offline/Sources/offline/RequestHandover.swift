// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

/// A request that waits while another command has the library open.
///
/// The request is stored first, so that nothing is lost if this process ends. The other command
/// downloads it, too; after its end, this process continues the download.
struct RequestHandover {
    /// The outcome of the wait.
    enum Outcome {
        /// The library can be used, and the item continues there.
        case library(any LibraryService, ItemRepresentation)
        /// The other command has downloaded the item, or failed to.
        case ended(ItemRepresentation)
    }

    private static let interval = Duration.milliseconds(250)
    /// The number of checks before the wait is explained.
    private static let quietChecks = 8
    /// The number of checks in which a server imports the request.
    private static let importChecks = 20

    private let environment: Environment
    private let request: DownloadRequest
    private let stored: StoredRequest
    private let inbox: RequestInbox
    private let name: String

    /// Stores the request.
    init(_ request: DownloadRequest, _ environment: Environment) throws(LibraryError) {
        self.request = request
        self.environment = environment
        stored = StoredRequest(request)
        inbox = RequestInbox(environment.directory)
        name = try inbox.add(stored)
    }

    /// Waits until the library can be used or the item has ended in the other process.
    ///
    /// - Parameters:
    ///   - explain: Called once if the wait lasts longer than a short command takes.
    ///   - show: Called after that with the item, after each check.
    /// - Returns: The library with the item, or the item that has ended elsewhere.
    /// - Throws: `LibraryError`, and `CancellationError`; the request remains stored until the
    ///   library has an item for it.
    func wait(
        explain: @Sendable () -> Void,
        show: @Sendable (ItemRepresentation) -> Void
    ) async throws -> Outcome {
        var checks = 0
        while true {
            let library = try await availableLibrary()
            if let item = try importedItem() {
                if item.state == .ready || item.state == .failed {
                    await library?.stop()
                    return .ended(item)
                }
                if let library {
                    // Another command ended with the item, for example on a full disk.
                    if item.state.endsRun { try await library.retry(item.id) }
                    return .library(library, item)
                }
                if checks > Self.quietChecks { show(item) }
            } else if let library, !library.isServed || checks >= Self.importChecks {
                // The import failed; this attempt reports why.
                let item = try await library.enqueue(request)
                _ = try? inbox.withdraw(name)
                return .library(library, item)
            }
            checks += 1
            if checks == Self.quietChecks { explain() }
            try await ContinuousClock().sleep(for: Self.interval)
        }
    }

    private func availableLibrary() async throws -> (any LibraryService)? {
        do throws(LibraryError) {
            return try LibraryAccess.openHere(environment)
        } catch {
            guard error.code == .inUse else { throw error }
        }
        return await LibraryAccess.runningServer(of: environment.directory)
    }

    /// Returns the item that a process has made of the request; nil before.
    private func importedItem() throws -> ItemRepresentation? {
        guard !inbox.contains(name) else { return nil }
        return try Registry.item(of: stored, in: environment.directory).map {
            ItemRepresentation($0)
        }
    }
}
