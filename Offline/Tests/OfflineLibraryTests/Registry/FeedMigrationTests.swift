// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsSQLite

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
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
        #expect(try registry.feeds().isEmpty)
        let request = try FeedRequest(WebAddress("https://a.example/feed"), keep: 3)
        let feed = try registry.follow(request, title: "A", at: Date())
        #expect(try Registry(path: path).feed(feed.id)?.keep == 3)
    }

    @Test func o14_theOptionsOfAFeedAreStoredButNotShown() throws {
        let registry = try Registry(path: path)
        let options = try RequestOptions(.init(headers: ["Authorization: secret"]))
        let request = try FeedRequest(WebAddress("https://a.example/feed"), options: options)
        let feed = try registry.follow(request, title: "A", at: Date())
        #expect(try registry.options(of: feed.id).headers.map(\.value) == ["secret"])
        let data = try JSONFormat.encode(FeedRepresentation(feed, []))
        #expect(!String(decoding: data, as: UTF8.self).contains("secret"))
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.execute("UPDATE feeds SET options = 'x'")
        #expect(throws: LibraryError.self) { try registry.options(of: feed.id) }
    }

    @Test(arguments: [0, -1, 1_001])
    func theNumberOfEntriesIsLimited(keep: Int) {
        let error = #expect(throws: FeedError.self) {
            try FeedRequest(WebAddress("https://a.example/feed"), keep: keep)
        }
        #expect(error?.code == .invalidKeep)
    }
}
