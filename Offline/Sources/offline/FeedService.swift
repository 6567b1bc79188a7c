// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The operations on followed feeds of a library that this process or a running server has open.
protocol FeedService: Sendable {
    /// Whether a running server downloads the entries.
    var isServed: Bool { get }
    func feeds() async throws -> [FeedRepresentation]
    /// Follows a feed and queues its newest entries.
    func follow(_ request: FeedRequest) async throws -> FeedRepresentation
    /// Checks a feed now.
    func check(_ id: FeedID) async throws -> FeedRepresentation
    /// Stops following a feed; its items and files stay.
    func unfollow(_ id: FeedID) async throws
    /// Keeps an item on purpose: no feed removes it.
    func keep(_ id: ItemID) async throws
    /// Stops the work of this process; a running server continues.
    func stop() async
}

extension LibraryAccess {
    /// Opens the library in this process, or connects to the server that has it open.
    static func openFeeds(_ environment: Environment) async throws -> any FeedService {
        let configuration = LibraryConfiguration(directory: environment.directory)
        return try await connect(environment.directory) {
            () throws(LibraryError) -> any FeedService in
            let library = try Library(configuration)
            note(library)
            return LocalFeeds(library)
        } orTo: {
            $0
        }
    }
}

/// The feeds of a library that this process has open, without downloads of its items.
struct LocalFeeds: FeedService {
    let library: Library
    let isServed = false

    init(_ library: Library) {
        self.library = library
    }

    func feeds() async throws -> [FeedRepresentation] {
        // A check needs the network; no item is downloaded.
        await library.start(only: [])
        return try library.feeds.list()
    }

    func follow(_ request: FeedRequest) async throws -> FeedRepresentation {
        await library.start(only: [])
        return try library.feeds.representation(of: try await library.feeds.follow(request))
    }

    func check(_ id: FeedID) async throws -> FeedRepresentation {
        try library.feeds.representation(of: try await library.feeds.check(id))
    }

    func unfollow(_ id: FeedID) async throws { try library.feeds.unfollow(id) }

    func keep(_ id: ItemID) async throws { _ = try library.keep(id) }

    func stop() async { await library.stop() }
}
