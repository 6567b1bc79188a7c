// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import OfflineStore
import Tidings

/// Requests that wait while another command has the library open.
///
/// The requests are stored first, so that nothing is lost if this process ends. The other command
/// downloads the stored requests as far as possible. After the other command has ended, this
/// process continues the downloads.
struct RequestHandover {
    /// The outcome of the wait.
    enum Outcome {
        /// The library can be used, and the items continue there.
        case library(Connection<Library>, [ItemRepresentation])
        /// The other command has downloaded the items, or the downloads have failed.
        case ended([ItemRepresentation])
    }

    private static let interval = Duration.milliseconds(250)
    /// The number of checks before the wait is explained.
    private static let quietChecks = 8
    /// The number of checks in which a server imports the requests.
    private static let importChecks = 20

    /// A stored request with the request's name in the inbox.
    private struct Entry: Sendable {
        let request: DownloadRequest
        let stored: StoredRequest
        let name: String
    }

    private let environment: Environment
    private let inbox: RequestInbox
    private let entries: [Entry]

    /// Stores the requests.
    init(_ requests: [DownloadRequest], _ environment: Environment) throws(LibraryError) {
        self.environment = environment
        let inbox = RequestInbox(environment.directory)
        self.inbox = inbox
        var entries: [Entry] = []
        for request in requests {
            let stored = StoredRequest(request)
            entries.append(Entry(request: request, stored: stored, name: try inbox.add(stored)))
        }
        self.entries = entries
    }

    /// Waits until the library can be used or the items have ended in the other process.
    ///
    /// - Parameters:
    ///   - explain: Called once if the wait lasts longer than a short command takes.
    ///   - show: Called after that with each item, after each check.
    /// - Returns: The library with the items, or the items that have ended elsewhere.
    /// - Throws: `LibraryError`, and `CancellationError`. A request remains stored until the
    ///   library has an item for the request.
    func wait(
        explain: @Sendable () -> Void,
        show: @Sendable (ItemRepresentation) -> Void
    ) async throws -> Outcome {
        var checks = 0
        while true {
            let library = try await availableLibrary()
            var items = try entries.map(importedItem)
            let imported = items.compactMap(\.self)
            if imported.count == items.count {
                if imported.allSatisfy({ $0.state == .ready || $0.state == .failed }) {
                    await library?.stop()
                    return .ended(imported)
                }
                if let library {
                    // The other command ended before the download did, for example on a full disk.
                    for item in imported where item.state.endsRun {
                        if item.state != .ready, item.state != .failed {
                            try await library.call(API.items.retry, .init(item.id, RetryJSON()))
                        }
                    }
                    return .library(library, imported)
                }
                if checks > Self.quietChecks { imported.forEach(show) }
            } else if let library, !library.isServed || checks >= Self.importChecks {
                // The import failed. This attempt reports the reason.
                for (index, entry) in entries.enumerated() where items[index] == nil {
                    items[index] = try await library.call(API.items.download, .init(entry.request))
                    _ = try? inbox.withdraw(entry.name)
                }
                return .library(library, items.compactMap(\.self))
            }
            checks += 1
            if checks == Self.quietChecks { explain() }
            try await ContinuousClock().sleep(for: Self.interval)
        }
    }

    private func availableLibrary() async throws -> Connection<Library>? {
        do throws(LibraryError) {
            return try LibraryAccess.openHere(environment)
        } catch {
            guard error.code == .inUse else { throw error }
        }
        return await LibraryAccess.runningServer(of: environment.directory).map { .server($0) }
    }

    /// Returns the item that a process has made of a request, or nil if there is none yet.
    private func importedItem(of entry: Entry) throws -> ItemRepresentation? {
        guard !inbox.contains(entry.name) else { return nil }
        return try Registry.item(of: entry.stored, in: environment.directory).map {
            ItemRepresentation($0)
        }
    }
}
