// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP
import TidingsSQLite

/// The check of a feed: fetches the document, queues new entries and removes the oldest files.
///
/// Each check is one transaction, so that a kill leaves either none or all of the changes.
struct FeedCheck: Sendable {
    /// A failure that comes from a missing network and not from the feed.
    struct Offline: Error {
        let error: FeedError
    }

    let journal: ItemJournal
    let connectivity: ConnectivityMonitor
    let configuration: LibraryConfiguration
    let clients: HTTPClients
    /// Downloads an item.
    let admit: @Sendable (ItemID) async -> Void
    /// Removes an item that newer items of the feed replace, together with the file.
    ///
    /// An item that the user keeps, or whose file the user has changed, stays.
    let remove: @Sendable (ItemID, FeedID) async throws -> Void

    private var feeds: FollowedFeedReader { journal.feeds }
    private var fetch: FeedFetch { FeedFetch(clients: clients, clock: configuration.clock) }

    /// Fetches a feed, follows the feed and queues the newest entries.
    ///
    /// - Throws: `FeedError` if the fetch fails or the document is not a feed, and `SQLiteError`.
    func follow(_ request: FeedRequest, isNamedByPage: Bool = false) async throws -> FeedID {
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
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
            let feed = try journal.follow(request, title: title, at: configuration.now())
            try await record(feed) { update throws in
                update.replace(
                    by: document,
                    response,
                    options: try feeds.options(of: feed.id),
                    seen: try feeds.seenEntries(of: feed.id)
                )
            }
            return feed.id
        } catch let failure as FeedFetch.Failure {
            guard let address = failure.feedOfPage, !isNamedByPage else { throw failure.error }
            return try await follow(try request.moved(to: address), isNamedByPage: true)
        }
    }

    /// Fetches a feed and records the result.
    ///
    /// - Throws: `Offline` if the network is gone. In this case, the registry gets no record.
    func run(_ feed: Feed) async throws {
        do {
            let options = try feeds.options(of: feed.id)
            let outcome = try await fetch.run(
                feed.address,
                options,
                allowsPrivateAddresses: feed.allowsPrivateAddresses
                    || configuration.allowsPrivateAddresses,
                validators: feed.validators
            )
            let seen = try feeds.seenEntries(of: feed.id)
            try await record(feed) { update in
                switch outcome {
                case .unchanged(let response): update.keep(response, options: options)
                case .document(let document, let response):
                    update.replace(by: document, response, options: options, seen: seen)
                }
            }
        } catch let failure as FeedFetch.Failure {
            // When the network returns, the loop checks the feed again.
            if connectivity.isOffline { throw Offline(error: failure.error) }
            try await record(feed) { $0.fail(failure.error, retryAfter: failure.retryAfter) }
        } catch let error as LibraryError {
            try await record(feed) {
                $0.fail(FeedError(.unreachable, error.message), retryAfter: nil)
            }
        }
    }

    /// Commits a check, downloads the new items and removes the items that they replace.
    private func record(
        _ feed: Feed,
        _ change: (inout FeedUpdate) throws -> Void
    ) async throws {
        let now = configuration.now()
        var update = FeedUpdate(feed, at: now, FeedTiming(jitter: .random(in: 0...1)))
        try change(&update)
        configuration.reachCheckpoint(.beforeFeedCommit)
        guard let recorded = try journal.record(update, at: now) else { return }
        configuration.reachCheckpoint(.afterFeedCommit)
        for item in recorded.items { await admit(item.id) }
        await removeExpired(of: feed.id)
    }

    /// Removes the items of a feed that newer ones replace.
    func removeExpired(of id: FeedID) async {
        guard let feed = try? feeds.feed(id) else { return }
        // The loop reads the items before each removal, because the user may mark an item as kept
        // at any time.
        var refused: Set<ItemID> = []
        while !Task.isCancelled, let items = try? feeds.feedItems(of: id),
            let item = FeedRetention.expired(items, keep: feed.keep)
                .first(where: { !refused.contains($0) })
        {
            refused.insert(item)
            try? await remove(item, id)
        }
    }
}
