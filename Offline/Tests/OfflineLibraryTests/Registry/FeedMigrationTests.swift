// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FeedMigrationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/registry.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func o28_aRegistryWithoutFeedsGetsTheirTables() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        for migration in Migration.all.prefix(7) { try migration.change(connection) }
        try connection.setUserVersion(7)
        connection.close()
        let registry = try Registry(path: path)
        #expect(try registry.feeds.feeds().isEmpty)
        let request = try FeedRequest(WebAddress("https://a.example/feed"), keep: 3)
        let feed = try registry.feedWriter.follow(request, title: "A", at: Date())
        #expect(try Registry(path: path).feeds.feed(feed.id)?.keep == 3)
    }

    @Test func o26_theMarksAndNamesOfEarlierEntriesStay() throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        let earlier = Migration.all.prefix(12)
        for migration in earlier { try migration.change(connection) }
        try connection.setUserVersion(earlier.count)
        try connection.execute("PRAGMA trusted_schema = ON")
        let long = "guid:" + String(repeating: "x", count: 1_000)
        for statement in [
            "INSERT INTO feeds (address, title, keep, keeps_pages, allows_private, created_at)"
                + " VALUES ('https://a.example/feed', 'A', 1, 0, 0, 0)",
            item(1, "Kept"), item(2, "Renamed"), item(3, "Other"),
            entry("guid:1", title: "Kept", item: 1, kept: 1),
            entry("guid:2", title: "Two", item: 2, kept: 0),
            entry(long, title: "Other", item: 3, kept: 0),
        ] { try connection.execute(statement) }
        connection.close()
        let registry = try Registry(path: path)
        let feed = try #require(try registry.feeds.feeds().first)
        let items = try registry.feeds.feedItems(of: feed.id).sorted {
            $0.id.rawValue < $1.id.rawValue
        }
        #expect(items.map(\.isKept) == [true, true, false])
        let names = try registry.feeds.seenEntries(of: feed.id)
        #expect(names.isSuperset(of: ["guid:1", "guid:2", FeedName.short(long), "at:guid:1"]))
    }

    private func item(_ id: Int, _ title: String) -> String {
        "INSERT INTO items (id, source, quality, allows_private, title, state, created_at)"
            + " VALUES (\(id), 'https://a.example/\(id)', 'best', 0, '\(title)', 'ready', 0)"
    }

    private func entry(_ identity: String, title: String, item: Int, kept: Int) -> String {
        "INSERT INTO feed_entries (feed, identity, address, title, published, item, fetched, kept)"
            + " VALUES (1, '\(identity)', 'at:\(identity)', '\(title)', 0, \(item), 1, \(kept))"
    }

    @Test func o14_theOptionsOfAFeedAreStoredButNotShown() throws {
        let registry = try Registry(path: path)
        let options = try RequestOptions(.init(headers: ["Authorization: secret"]))
        let request = try FeedRequest(WebAddress("https://a.example/feed"), options: options)
        let feed = try registry.feedWriter.follow(request, title: "A", at: Date())
        #expect(try registry.feeds.options(of: feed.id).headers.map(\.value) == ["secret"])
        let data = try JSONFormat.encode(FeedRepresentation(feed, []))
        #expect(!String(decoding: data, as: UTF8.self).contains("secret"))
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.execute("UPDATE feeds SET options = 'x'")
        #expect(throws: LibraryError.self) { try registry.feeds.options(of: feed.id) }
    }

    @Test(arguments: [0, -1, 1_001])
    func theNumberOfEntriesIsLimited(keep: Int) {
        let error = #expect(throws: FeedError.self) {
            try FeedRequest(WebAddress("https://a.example/feed"), keep: keep)
        }
        #expect(error?.code == .invalidKeep)
    }
}
