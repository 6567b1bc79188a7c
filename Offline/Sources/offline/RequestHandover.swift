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
    /// The number of looks at the library before a person reads about the wait.
    private static let quietLooks = 8

    private let environment: Environment
    private let request: DownloadRequest
    private let inbox: RequestInbox
    private let name: String

    /// Stores the request.
    init(_ request: DownloadRequest, _ environment: Environment) throws(LibraryError) {
        self.request = request
        self.environment = environment
        inbox = RequestInbox(environment.directory)
        name = try inbox.add(StoredRequest(request))
    }

    /// Waits until the library can be used or the item has ended in the other process.
    ///
    /// - Parameters:
    ///   - explain: Called once if the wait lasts longer than that for a short command.
    ///   - show: Called after that with the item, after each look at it.
    /// - Returns: The library with the item, or the item that has ended elsewhere.
    /// - Throws: `LibraryError`, and `CancellationError`; the request remains stored.
    func wait(
        explain: @Sendable () -> Void,
        show: @Sendable (ItemRepresentation) -> Void
    ) async throws -> Outcome {
        var looks = 0
        while true {
            if let library = try await availableLibrary() {
                return .library(library, try await item(in: library))
            }
            if !inbox.contains(name), let item = try storedItem() {
                if item.state == .ready || item.state == .failed { return .ended(item) }
                if looks > Self.quietLooks { show(item) }
            }
            looks += 1
            if looks == Self.quietLooks { explain() }
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

    /// Returns the item of the request, which the library may have made already.
    private func item(in library: any LibraryService) async throws -> ItemRepresentation {
        if try inbox.withdraw(name) { return try await library.enqueue(request) }
        guard let item = newest(in: try await library.items()) else {
            return try await library.enqueue(request)
        }
        return item
    }

    private func storedItem() throws -> ItemRepresentation? {
        newest(in: try Registry.items(in: environment.directory).map { ItemRepresentation($0) })
    }

    private func newest(in items: [ItemRepresentation]) -> ItemRepresentation? {
        items.first {
            $0.address == request.origin.text
                && ($0.rendition == request.rendition.description || $0.kind == .file)
        }
    }
}
