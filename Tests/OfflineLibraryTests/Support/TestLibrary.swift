// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineLibrary

/// A library in a folder of its own, with an origin server beside it.
struct TestLibrary: Sendable {
    let folder: TemporaryFolder
    let origin: OriginServer
    let library: Library
    private let isStarted = Flag()

    /// Opens a library in a new folder, or in that of an earlier one to go on with it.
    init(
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
        configuration.retries = RetryPolicy(
            maximumTries: 3,
            firstDelay: .zero,
            longestDelay: .zero
        )
        configuration.connectivity = ManualConnectivity()
        configure(&configuration)
        library = try Library(configuration)
    }

    func request(_ path: String, rendition: RenditionChoice = .best) throws -> DownloadRequest {
        DownloadRequest(.address(try origin.address(path)), rendition: rendition)
    }

    /// Downloads and returns the item when it is ready or failed.
    func get(_ path: String, rendition: RenditionChoice = .best) async throws -> MediaItem {
        let changes = library.messages.messages(of: ItemChanged.self, buffering: .unbounded)
        let result = try await library.enqueue(try request(path, rendition: rendition))
        if case .alreadyReady(let item) = result { return item }
        await start()
        for await change in changes where change.item.id == result.item.id {
            if change.item.state == .ready || change.item.state == .failed { return change.item }
        }
        throw CancellationError()
    }

    /// Begins to work, once.
    func start() async {
        if isStarted.raise() { await library.start() }
    }

    func bytes(of item: MediaItem) throws -> Data {
        let path = try #require(library.path(of: item))
        return try #require(FileManager.default.contents(atPath: path))
    }

    /// How often each path was asked for.
    func requests() async throws -> [String: Int] {
        try await origin.log().reduce(into: [:]) { $0[$1.path, default: 0] += 1 }
    }
}

/// Something that happens once.
private final class Flag: Sendable {
    private let isRaised = Lock(false)

    /// Whether this call was the first.
    func raise() -> Bool {
        isRaised.withLock { raised in
            defer { raised = true }
            return !raised
        }
    }
}
