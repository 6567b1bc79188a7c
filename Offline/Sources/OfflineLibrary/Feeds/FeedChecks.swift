// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
import OfflineSources
package import OfflineStore
import Tidings
import TidingsLock
import TidingsSQLite

/// The followed feeds: checks each feed when due, and on demand.
///
/// `FeedLoop` runs the checks that are due, and `FeedCheck` is one check. Safe from any thread.
///
/// ```swift
/// let feed = try await library.feeds.follow(FeedRequest(address))
/// ```
package final class FeedChecks: Sendable {
    private let check: FeedCheck
    private let loop: FeedLoop
    /// All tasks that use the network or the queue.
    private let tasks = StoppableTasks()
    private let running = Lock<[FeedID: Task<Void, any Error>]>([:])

    private var feeds: FollowedFeedReader { check.journal.feeds }

    init(_ check: FeedCheck) {
        self.check = check
        loop = FeedLoop(check.connectivity, check.configuration)
        // A completed download replaces an older one. If the library is stopping, the next start
        // completes a download again.
        check.journal.messages.observe(DownloadCompleted.self, owner: self) { checks, message in
            let feeds = (try? checks.feeds.feeds(withItem: message.item.id)) ?? []
            guard !feeds.isEmpty else { return }
            checks.tasks.begin { for id in feeds { await checks.check.removeExpired(of: id) } }
        }
    }

    /// Follows a feed and queues the newest entries.
    ///
    /// This method fetches the feed first, so that the library follows only feeds that work. For a
    /// feed that is already followed, the options of the request replace the old ones.
    ///
    /// - Throws: `FeedError` if the fetch fails or the document is not a feed, and `LibraryError`.
    package func follow(_ request: FeedRequest) async throws -> Feed {
        let task = tasks.begin { [check] in try await check.follow(request) }
        guard let task else { throw FeedError.notRunning }
        do {
            let id = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            let feed = try feed(id)
            schedule(id, at: feed.nextCheck)
            return feed
        } catch let error as SQLiteError {
            throw LibraryError(error)
        }
    }

    /// Stops following a feed.
    ///
    /// The items and files of the feed stay.
    ///
    /// - Throws: `FeedError` with `.notFollowed`, and `LibraryError`.
    package func unfollow(_ id: FeedID) throws {
        let wasFollowed = try LibraryError.rethrowing { try check.journal.unfollow(id) }
        guard wasFollowed else { throw FeedError.notFollowed(id) }
        schedule(id, at: nil)
    }

    /// Returns the followed feeds with their items, in the order in which they were followed.
    package func list() throws(LibraryError) -> [FeedRepresentation] {
        try LibraryError.rethrowing { try feeds.feeds().map(representation) }
    }

    /// Returns a feed with its items.
    package func representation(of feed: Feed) throws(LibraryError) -> FeedRepresentation {
        try LibraryError.rethrowing {
            FeedRepresentation(feed, try feeds.feedItems(of: feed.id))
        }
    }

    /// Checks a feed now, or waits for a running check of the feed.
    ///
    /// - Returns: The feed after the check. Its `failure` is set if the check failed.
    /// - Throws: `FeedError` with `.notFollowed` or `.unavailable`, and `LibraryError`.
    package func check(_ id: FeedID) async throws -> Feed {
        do {
            try await attempt(id)
        } catch let offline as FeedCheck.Offline {
            throw offline.error
        } catch let error as SQLiteError {
            throw LibraryError(error)
        }
        return try feed(id)
    }

    /// Returns a feed.
    ///
    /// - Throws: `FeedError` with `.notFollowed`, and `LibraryError`.
    private func feed(_ id: FeedID) throws -> Feed {
        let feed = try LibraryError.rethrowing { try feeds.feed(id) }
        guard let feed else { throw FeedError.notFollowed(id) }
        return feed
    }

    /// Checks a feed, or waits for a running check of the feed.
    ///
    /// - Throws: `Offline` without a network, and the errors of `check`.
    private func attempt(_ id: FeedID) async throws {
        let feed = try feed(id)
        let task = try running.withLock { running throws(FeedError) in
            if let task = running[id] { return task }
            guard let task = tasks.begin({ try await self.run(feed) }) else { throw .notRunning }
            running[id] = task
            return task
        }
        try await task.value
    }

    private func run(_ feed: Feed) async throws {
        loop.change { $0.begin(feed.id) }
        defer {
            running.withLock { $0[feed.id] = nil }
            loop.change { $0.end(feed.id) }
        }
        try await check.run(feed)
        schedule(feed.id, at: try feeds.feed(feed.id)?.nextCheck)
    }

    /// Sets the next check of a feed.
    func schedule(_ id: FeedID, at date: Date?) {
        loop.change { $0.schedule(id, at: date) }
    }

    /// Starts the scheduled checks.
    func start() {
        // If the registry cannot be read, another part of the library reports the error.
        let feeds = (try? self.feeds.feeds()) ?? []
        loop.change { $0.replace(feeds) }
        tasks.begin { await self.loop.run { try await self.attempt($0) } }
    }

    /// Cancels the running checks and all other use of the network.
    ///
    /// When this returns, no task of the feeds runs, and none starts.
    func stop() async { await tasks.stop() }
}

extension FeedError {
    /// The error of an operation on a library that is not running.
    static var notRunning: FeedError {
        FeedError(.unavailable, "The library is not running. Start `offline serve`.")
    }

    /// Creates the error for a feed that is not followed.
    static func notFollowed(_ id: FeedID) -> FeedError {
        FeedError(.notFollowed, "There is no feed \(id). `offline following` lists all feeds.")
    }
}
