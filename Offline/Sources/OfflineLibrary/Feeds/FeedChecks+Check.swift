// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsSQLite

extension FeedChecks {
    /// Follows a feed, and queues its newest entries.
    ///
    /// The feed is fetched first, so that only one that works is followed. A feed that is followed
    /// already takes the options of the request.
    ///
    /// - Throws: `FeedError` if it cannot be fetched or is no feed, and `LibraryError`.
    package func follow(_ request: FeedRequest) async throws -> Feed {
        try await withWork { try await self.follow(request, $0) }
    }

    private func follow(
        _ request: FeedRequest,
        _ work: Work,
        isNamedByPage: Bool = false
    ) async throws -> Feed {
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
        let fetch = FeedFetch(clients: work.clients, clock: configuration.clock)
        do {
            let outcome = try await fetch.run(
                request.address,
                request.options,
                allowsPrivateAddresses: request.allowsPrivateAddresses
            )
            guard case .document(let document, let response) = outcome else {
                throw FeedError.notAFeed(request.address)
            }
            let title = document.title.isEmpty ? request.address.host : document.title
            let feed = try registry.follow(request, title: title, at: configuration.now())
            try await record(feed, work) { update throws in
                update.replace(
                    by: document,
                    response,
                    options: try registry.options(of: feed.id),
                    seen: try registry.seenEntries(of: feed.id)
                )
            }
            return try self.feed(feed.id)
        } catch let failure as FeedFetch.Failure {
            guard let address = failure.feedOfPage, !isNamedByPage else { throw failure.error }
            return try await follow(try request.moved(to: address), work, isNamedByPage: true)
        } catch let error as SQLiteError {
            throw LibraryError(error)
        }
    }

    /// Stops following a feed; its items and files stay.
    ///
    /// - Throws: `FeedError` with `.notFollowed`, and `LibraryError`.
    package func unfollow(_ id: FeedID) throws {
        do {
            guard try registry.unfollow(id) else { throw FeedError.notFollowed(id) }
        } catch let error as SQLiteError {
            throw LibraryError(error)
        }
        schedule(id, at: nil)
        journal.post(FeedsChanged())
    }

    /// Returns the followed feeds with their items, in the order in which they were followed.
    package func list() throws(LibraryError) -> [FeedRepresentation] {
        do {
            var list: [FeedRepresentation] = []
            for feed in try registry.feeds() {
                list.append(FeedRepresentation(feed, try registry.feedItems(of: feed.id)))
            }
            return list
        } catch {
            throw LibraryError(error)
        }
    }

    /// Returns a feed with its items.
    package func representation(of feed: Feed) throws(LibraryError) -> FeedRepresentation {
        do {
            return FeedRepresentation(feed, try registry.feedItems(of: feed.id))
        } catch {
            throw LibraryError(error)
        }
    }

    /// Returns a feed.
    ///
    /// - Throws: `FeedError` with `.notFollowed`, and `LibraryError`.
    func feed(_ id: FeedID) throws -> Feed {
        do {
            guard let feed = try registry.feed(id) else { throw FeedError.notFollowed(id) }
            return feed
        } catch let error as SQLiteError {
            throw LibraryError(error)
        }
    }

    /// Fetches a feed and records the result.
    ///
    /// - Throws: `Offline` without a record if the network is gone.
    func perform(_ id: FeedID, _ work: Work) async throws {
        let feed = try feed(id)
        let options: RequestOptions
        do {
            options = try registry.options(of: id)
            let fetch = FeedFetch(clients: work.clients, clock: configuration.clock)
            let outcome = try await fetch.run(
                feed.address,
                options,
                allowsPrivateAddresses: feed.allowsPrivateAddresses
                    || configuration.allowsPrivateAddresses,
                validators: feed.validators
            )
            let seen = try registry.seenEntries(of: id)
            try await record(feed, work) { update in
                switch outcome {
                case .unchanged(let response): update.keep(response, options: options)
                case .document(let document, let response):
                    update.replace(by: document, response, options: options, seen: seen)
                }
            }
        } catch let failure as FeedFetch.Failure {
            // The return of the network checks it again.
            if connectivity.isOffline { throw Offline(error: failure.error) }
            try await record(feed, work) {
                $0.fail(failure.error, retryAfter: failure.retryAfter)
            }
        } catch let error as LibraryError {
            try await record(feed, work) {
                $0.fail(FeedError(.unreachable, error.message), retryAfter: nil)
            }
        }
    }

    /// Commits a check, downloads its new items and removes those that they replace.
    private func record(
        _ feed: Feed,
        _ work: Work,
        _ change: (inout FeedUpdate) throws -> Void
    ) async throws {
        let now = configuration.now()
        var update = FeedUpdate(feed, at: now, FeedTiming(jitter: .random(in: 0...1)))
        try change(&update)
        configuration.reachCheckpoint(.beforeFeedCommit)
        guard let recorded = try journal.record(update, at: now) else { return }
        configuration.reachCheckpoint(.afterFeedCommit)
        schedule(feed.id, at: recorded.feed.nextCheck)
        for item in recorded.items { await work.admit(item.id) }
        await removeExpired(of: feed.id, work)
    }

    /// Removes the items of a feed that newer ones replace.
    func removeExpired(of id: FeedID, _ work: Work) async {
        guard let feed = try? registry.feed(id) else { return }
        // Read before each removal: meanwhile the person may have marked an item to keep it.
        var refused: Set<ItemID> = []
        while !Task.isCancelled, let items = try? registry.feedItems(of: id),
            let item = FeedRetention.expired(items, keep: feed.keep)
                .first(where: { !refused.contains($0) })
        {
            refused.insert(item)
            try? await work.remove(item, id)
        }
    }
}

extension FeedError {
    /// The error of an operation on a library that does not run.
    static var notRunning: FeedError {
        FeedError(.unavailable, "The library is not running. Start `offline serve`.")
    }

    /// Creates the error for a feed that is not followed.
    static func notFollowed(_ id: FeedID) -> FeedError {
        FeedError(.notFollowed, "There is no feed \(id). `offline following` lists all feeds.")
    }
}
