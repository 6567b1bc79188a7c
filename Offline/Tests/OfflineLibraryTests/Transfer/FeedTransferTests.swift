// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

/// Tests of followed feeds, settings, chapters and permissions in an exported library.
@Suite(.timeLimit(.minutes(15)))
struct FeedTransferTests {
    private static let head =
        #"{"exportedAt":"2026-01-01T00:00:00Z","format":"offline-library","version":2}"#
    private static let feed =
        #"{"createdAt":"2026-01-01T00:00:00Z","feed":"https://pod.example/f","keep":3,"title":"Pod"}"#
    private static let item =
        #"{"address":"https://a.example/1","createdAt":"2026-01-01T00:00:00Z","quality":"best","#
        + #""size":7,"state":"paused","title":"One"}"#
    private static let entry = #"{"entry":["1"],"published":1}"#
    private static let address = "https://pod.example/f"

    private let source: FilledLibrary
    private let target: FilledLibrary

    init() throws {
        source = try FilledLibrary()
        target = try FilledLibrary()
    }

    private func registry(_ filled: FilledLibrary) throws -> Registry {
        try filled.library.journal.registry
    }

    /// Follows a feed with these entries and downloads the first `wanted` entries.
    @discardableResult
    private func follow(
        _ filled: FilledLibrary,
        _ names: [String],
        wanted: Int,
        keep: Int = 3,
        allowsPrivate: Bool = false,
        options: RequestOptions.Texts = .init()
    ) throws -> [MediaItem] {
        let request = try FeedRequest(
            WebAddress(Self.address),
            keep: keep,
            allowsPrivateAddresses: allowsPrivate,
            options: RequestOptions(options)
        )
        let feed = try registry(filled).feedWriter.follow(request, title: "Pod", at: Date())
        var drafts: [FeedDraft] = []
        for name in names {
            var draft = FeedDraft()
            draft.title = name
            draft.add(try WebAddress("https://pod.example/\(name)"), rank: 1)
            drafts.append(draft)
        }
        let document = FeedDocument(title: "Pod", drafts, period: nil, now: 0)
        var wanting = feed
        wanting.keep = wanted
        var update = FeedUpdate(wanting, at: Date(), FeedTiming(jitter: 0))
        update.replace(by: document, FeedResponse(), options: .init(), seen: [])
        return try #require(try registry(filled).feedWriter.record(update, at: Date())).items
    }

    private func entries(_ filled: FilledLibrary) throws -> [StoredEntry] {
        var entries: [StoredEntry] = []
        for feed in try registry(filled).feeds.feeds() {
            try ExportReader(registry: registry(filled)).forEachEntry(of: feed.id) {
                entries.append($0)
            }
        }
        return entries
    }

    @Test func o29_followedFeedsAreCarriedWithTheirEntriesAndMarks() async throws {
        let items = try follow(source, ["a", "b", "c", "d"], wanted: 3)
        try source.library.journal.keep(items[0].id)
        try source.library.journal.remove(items[2].id)
        let text = try source.export()
        let report = try await target.load(text)
        #expect((report.items, report.feeds, report.knownFeeds) == (2, 1, 0))
        let feed = try #require(try registry(target).feeds.feeds().first)
        #expect((feed.address.text, feed.title, feed.keep) == (Self.address, "Pod", 3))
        #expect(feed.nextCheck != nil && feed.checkedAt == nil)
        #expect(
            try registry(target).feeds.seenEntries(of: feed.id)
                == registry(source).feeds.seenEntries(of: FeedID(rawValue: 1))
        )
        let held = try registry(target).feeds.feedItems(of: feed.id)
        #expect(held.map(\.isKept).filter(\.self).count == 1)
        #expect(held.count == 2)
        // A greater number of kept entries downloads only unknown entries that had no item.
        let more = try FeedRequest(WebAddress(Self.address), keep: 9)
        _ = try registry(target).feedWriter.follow(more, title: "Pod", at: Date())
        #expect(try entries(target).count == 3)
    }

    @Test func o29_aSecondImportOfFeedsAddsNothing() async throws {
        try follow(source, ["a", "b"], wanted: 1)
        let text = try source.export()
        _ = try await target.load(text)
        let report = try await target.load(text)
        #expect((report.known, report.knownFeeds) == (1, 1))
        #expect(try registry(target).feeds.feeds().count == 1)
        #expect(try entries(target).map(\.names) == entries(source).map(\.names))
        #expect(try registry(target).items.items().count == 1)
    }

    @Test func o29_aFollowedFeedStaysAsItIsAndGetsTheEntries() async throws {
        try follow(source, ["a", "b"], wanted: 1, keep: 9)
        try follow(target, ["b", "c"], wanted: 1, keep: 2)
        _ = try await target.load(source.export())
        let feeds = try registry(target).feeds.feeds()
        #expect(feeds.map(\.keep) == [2])
        #expect(
            Set(try entries(target).flatMap(\.names))
                == ["at:pod.example:443/a", "at:pod.example:443/b", "at:pod.example:443/c"]
        )
    }

    @Test func o26_anItemThatThePersonHadIsNotTheFeeds() async throws {
        try follow(source, ["a"], wanted: 1)
        let request = DownloadRequest(.address(try WebAddress("https://pod.example/a")))
        _ = try target.library.journal.insert(request, title: "mine", at: Date())
        #expect(try await target.load(source.export()).known == 1)
        let feed = try #require(try registry(target).feeds.feeds().first)
        #expect(try registry(target).feeds.feedItems(of: feed.id).isEmpty)
        #expect(try entries(target).map(\.item) == [ItemID(rawValue: 1)])
    }

    @Test func o14_theSecretsOfAFeedAreNotExported() async throws {
        let options = RequestOptions.Texts(
            headers: ["Authorization: 5ecret"],
            referrer: "https://pod.example/page",
            limit: "2M"
        )
        try follow(source, [], wanted: 0, options: options)
        let text = try source.export()
        #expect(!text.contains("5ecret"))
        #expect(try await target.load(text).withoutOptions == 1)
        let feed = try #require(try registry(target).feeds.feeds().first)
        let loaded = try registry(target).feeds.options(of: feed.id).texts
        #expect(loaded == .init(referrer: "https://pod.example/page", limit: "2M"))
    }

    @Test func privateAddressesNeedAPermission() async throws {
        try follow(source, ["a"], wanted: 1, allowsPrivate: true)
        let own = DownloadRequest(
            .address(try WebAddress("https://home.example/")),
            allowsPrivateAddresses: true
        )
        _ = try source.library.journal.insert(own, title: "home", at: Date())
        let catalog = CatalogAddress(
            try WebAddress("https://school.example/"),
            allowsPrivateAddresses: true
        )
        try source.library.catalog.setAddress(catalog)
        let text = try source.export()
        #expect(try await target.load(text).withoutPermission == 3)
        #expect(try registry(target).items.items().allSatisfy { !$0.allowsPrivateAddresses })
        #expect(try registry(target).feeds.feeds().map(\.allowsPrivateAddresses) == [false])
        #expect(target.library.catalog.address?.allowsPrivateAddresses == false)
        #expect(try await target.load(text, allowsPrivate: true).withoutPermission == 0)
        #expect(try registry(target).items.items().allSatisfy(\.allowsPrivateAddresses))
        #expect(try registry(target).feeds.feeds().map(\.allowsPrivateAddresses) == [true])
    }

    @Test func o29_settingsAreTakenIfTheLibraryHasNone() async throws {
        _ = try await source.library.change([
            .limit: "2M", .hours: "23:00-07:00", .quality: "720p",
        ])
        _ = try await target.library.change([.hours: "always"])
        #expect(try await target.load(source.export()).settings == 2)
        let settings = try target.library.settings()
        #expect(settings.limit == .bytesPerSecond(2_000_000))
        #expect(settings.hours == .always && settings.choice.quality == .height(720))
        #expect(try await target.load(source.export()).settings == 0)
    }

    @Test func aSettingThatNamesAProgramIsNeverTaken() async throws {
        let program = #"{"setting":"on-ready","value":"/bin/sh"}"#
        let token = #"{"setting":"server_token","value":"known"}"#
        let text = [Self.head, program, token, #"{"feeds":0,"items":0}"#].joined(separator: "\n")
        let report = try await target.load(text + "\n")
        #expect((report.settings, report.skippedSettings) == (0, 2))
        let stored = try registry(target).connection.withLock { connection throws(SQLiteError) in
            try connection.rows("SELECT value FROM preferences") { row throws(SQLiteError) in
                try row.text("value")
            }
        }
        #expect(!stored.contains("/bin/sh") && !stored.contains("known"))
    }

    @Test func o29_chaptersAndTheSpeedOfAnItemAreCarried() async throws {
        let item = try source.add("a.mp4", options: .init(limit: "2M"))
        try source.add("b.mp4")
        let chapters = [Chapter(start: 0, title: "One"), Chapter(start: 61.5, title: "Two")]
        try registry(source).files.setChapters(chapters, of: item.id)
        _ = try await target.load(source.export())
        let loaded = try #require(try registry(target).items.items().last)
        #expect(try registry(target).files.chapters(of: loaded.id) == chapters)
        #expect(
            try registry(target).items.options(of: loaded.id).limit == .bytesPerSecond(2_000_000)
        )
        let other = try registry(target).items.items()[0]
        #expect(try registry(target).files.chapters(of: other.id).isEmpty)
    }

    @Test func o29_aTextOfVersionOneIsRead() async throws {
        let text = [
            Self.head.replacing("\"version\":2", with: "\"version\":1"), Self.item, #"{"items":1}"#,
        ]
        #expect(try await target.load(text.joined(separator: "\n") + "\n").unfinished == 1)
    }

    /// The lines after the head, and the number of the invalid line.
    private static let invalid: [([String], Int)] = [
        ([entry], 2), ([feed, item], 3), ([#"{"other":1}"#], 2),
        ([feed.replacing("https://pod.example/f", with: "file:///etc")], 2),
        ([feed.replacing("\"keep\":3", with: "\"keep\":0")], 2),
        ([feed.replacing("\"keep\":3", with: "\"keep\":3,\"limit\":\"x\"")], 2),
        ([feed, entry.replacing("\"published\":1", with: "\"published\":1e999")], 3),
        ([feed, entry.replacing("\"published\"", with: "\"item\":1,\"published\"")], 3),
        ([feed, entry.replacing("\"1\"", with: "\"\"")], 3),
        ([feed, entry.replacing("\"1\"", with: "")], 3),
        ([feed, entry.replacing("\"1\"", with: "\"\(String(repeating: "x", count: 72))\"")], 3),
        ([feed, entry, #"{"items":0}"#], 4), ([feed, #"{"feeds":2,"items":0}"#], 3),
        ([#"{"setting":"limit","value":"fast"}"#], 2),
        ([#"{"setting":"limit"}"#], 2),
    ]

    @Test(arguments: invalid)
    func o29_anInvalidLineOfAFeedOrSettingChangesNothing(
        _ lines: [String],
        _ number: Int
    ) async throws {
        let text = ([Self.head] + lines).joined(separator: "\n") + "\n"
        let error = await #expect(throws: LibraryError.self) { try await target.load(text) }
        #expect(error?.code == .invalidImport)
        #expect(error?.message.hasPrefix("Line \(number) of the import: ") == true)
        #expect(try registry(target).feeds.feeds().isEmpty)
        #expect(try target.library.settings() == DownloadSettings())
    }

    @Test func anOldestFeedWithItsEntriesIsReadInPieces() async throws {
        try follow(source, (0..<2_100).map { "entry\($0)" }, wanted: 2)
        #expect(try await target.load(source.export()).feeds == 1)
        #expect(try entries(target).map(\.names) == entries(source).map(\.names))
    }
}
