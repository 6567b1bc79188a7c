// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineLibrary
package import OfflineModel
import OfflineSources
package import OfflineTestFixtures
import Tidings
import TidingsFiles
import TidingsHTTP
package import TidingsTestFixtures

/// A library in a temporary folder with an origin server.
package struct TestLibrary: Sendable {
    /// The folder of the library.
    package let folder: TemporaryFolder
    /// The server of the downloads.
    package let origin: OriginServer
    /// The library, which `start` and `get` start.
    package let library: Library

    /// Opens a library.
    ///
    /// - Parameters:
    ///   - folder: The folder of an earlier library to reopen, or nil for a new folder.
    ///   - origin: The server of an earlier library, or nil for a new server.
    ///   - configure: Changes the configuration before the library opens.
    /// - Throws: An error of the folder, the server or the library.
    package init(
        in folder: TemporaryFolder? = nil,
        origin: OriginServer? = nil,
        configure: (inout LibraryConfiguration) -> Void = { _ in }
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.origin = try origin ?? OriginServer()
        var configuration = LibraryConfiguration(
            directory: LibraryDirectory(path: self.folder.path + "/library")
        )
        configuration.allowsPrivateAddresses = true
        configuration.retries = DownloadRetryPolicy(
            maximumTries: 3,
            firstDelay: .zero,
            longestDelay: .zero
        )
        // A busy machine may delay a request at a gate for as long as the program waits.
        configuration.patience = RequestPatience(connect: .seconds(600), stall: .seconds(600))
        configuration.connectivity = ManualConnectivity()
        configure(&configuration)
        library = try Library(configuration)
    }

    /// Returns a request for a path of the origin.
    package func request(
        _ path: String,
        quality: QualityChoice = .best
    ) throws -> DownloadRequest {
        DownloadRequest(
            .address(try origin.address(path)),
            choice: RequestedChoice(MediaChoice(quality: quality))
        )
    }

    /// Downloads a path of the origin and returns the item when it is ready or has failed.
    package func get(_ path: String, quality: QualityChoice = .best) async throws -> MediaItem {
        try await get(try request(path, quality: quality))
    }

    /// Downloads an item and returns it when it is ready or has failed.
    package func get(_ request: DownloadRequest) async throws -> MediaItem {
        let changes = library.messages.messages(of: ItemChanged.self).values
        let result = try await library.enqueue(request)
        if case .alreadyReady(let item) = result { return item }
        await start()
        for await change in changes where change.item.id == result.item.id {
            if change.item.state == .ready || change.item.state == .failed { return change.item }
        }
        throw CancellationError()
    }

    /// Starts the library.
    ///
    /// A second call does nothing.
    package func start() async { await library.start() }

    /// Returns the content of an item's finished file.
    package func bytes(of item: MediaItem) throws -> Data {
        guard let path = library.path(of: item) else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: URL(filePath: path))
    }

    /// The names of the visible files in the media folder, sorted.
    package var mediaNames: [String] {
        SystemFile.names(in: library.directory.media).filter { !$0.hasPrefix(".") }
    }

    /// Returns the number of requests for each path, without questions about changes.
    package func requests() async throws -> [String: Int] {
        try await origin.log().reduce(into: [:]) { counts, entry in
            guard entry.method == "GET", entry.status != 304 else { return }
            counts[entry.path, default: 0] += 1
        }
    }
}
