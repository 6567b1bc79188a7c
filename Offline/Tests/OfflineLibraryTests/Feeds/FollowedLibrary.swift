// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

/// A library whose feeds have documents from a test, and whose items get files without a download.
struct FollowedLibrary {
    /// An entry of a document.
    struct Entry {
        var guid: String?
        var path: String
    }

    let filled: FilledLibrary
    private let counter = Counter()

    var library: Library { filled.library }
    var registry: Registry { get throws { try library.journal.registry } }

    init() throws {
        filled = try FilledLibrary()
    }

    /// Follows a feed with this path.
    func follow(_ path: String = "feed", keep: Int = 1) throws -> Feed {
        let request = try FeedRequest(WebAddress("https://a.example/" + path), keep: keep)
        return try registry.feedWriter.follow(request, title: "Pod", at: Date())
    }

    /// Records a document of a feed with the newest entry first, and returns the new items.
    @discardableResult
    func check(
        _ feed: Feed,
        _ entries: [Entry],
        memory: Int = FeedWriter.longestMemory
    ) throws -> [MediaItem] {
        let drafts = try entries.map { entry in
            var draft = FeedDraft()
            draft.guid = entry.guid
            draft.title = entry.path
            draft.add(try WebAddress("https://a.example/" + entry.path), rank: 1)
            return draft
        }
        let document = FeedDocument(title: "Pod", drafts, period: nil, now: counter.next())
        var update = FeedUpdate(feed, at: Date(), FeedTiming(jitter: 0))
        update.replace(
            by: document,
            FeedResponse(),
            options: .init(),
            seen: try registry.feeds.seenEntries(of: feed.id)
        )
        return try #require(try registry.feedWriter.record(update, at: Date(), memory: memory))
            .items
    }

    /// Gives an item a file with this content, as the end of a download does.
    @discardableResult
    func finish(_ item: MediaItem, _ text: String = "content") throws -> MediaItem {
        let name = "\(item.id).mp3"
        try filled.write(text, to: name)
        try registry.connection.withLock { connection in
            try connection.execute("UPDATE items SET state = 'ready'")
        }
        return try #require(
            try library.journal.change(
                item.id,
                .file(name: name, size: Int64(text.utf8.count)),
                .modified(FileStamp(of: filled.path(name))?.modified),
                .set(\.readyAt, Date())
            )
        )
    }

    /// Removes an expired item of a feed as a check does.
    func removeExpired(_ id: ItemID, of feed: Feed) async throws {
        let item = ExpiredItem(id: id, feed: feed.id, library: library.open, queue: library.queue)
        try await item.remove()
    }

    /// Whether the library has an item.
    func has(_ item: MediaItem) throws -> Bool { try registry.items.item(item.id) != nil }
}

/// Returns one number after another.
private final class Counter: Sendable {
    private let value = Lock(1_000.0)

    func next() -> Double {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
