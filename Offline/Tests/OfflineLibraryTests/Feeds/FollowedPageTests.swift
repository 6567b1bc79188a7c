// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import Testing
import TidingsHTTP
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FollowedPageTests {
    private let feed =
        "<rss><channel><title>Pod</title><item><title>One</title>"
        + "<enclosure url='/1.bin' type='audio/mpeg'/></item></channel></rss>"

    private func makeTest(_ head: String) async throws -> TestLibrary {
        let test = try TestLibrary()
        try await test.origin.serve([
            "/": ["text": .text("<!doctype html><title>Pod</title>" + head), "type": "text/html"],
            "/feed": ["text": .text(feed)], "/1.bin": ["text": "file"],
            "/list.pls": ["text": "[playlist]\nFile1=/1.bin\nTitle1=One\n"],
        ])
        return test
    }

    private func link(_ path: String) -> String {
        "<link rel=alternate type=application/rss+xml href='\(path)'>"
    }

    private func follow(_ test: TestLibrary, _ path: String = "/") async throws -> Feed {
        var options = RequestOptions()
        options.headers = [try HTTPHeader(line: "X-Token: secret")]
        let address = try test.origin.address(path)
        return try await test.library.feeds.follow(try FeedRequest(address, options: options))
    }

    @Test func o26_theOnlyFeedOfAPageIsFollowed() async throws {
        let test = try await makeTest(link("/feed") + link("/feed") + link("/comments/feed/"))
        let followed = try await follow(test)
        #expect(followed.address == (try test.origin.address("/feed")))
        #expect(try test.library.journal.items.items().map(\.title) == ["One"])
        let request = try #require(try await test.origin.log().last { $0.path == "/feed" })
        #expect(request.header("X-Token") == "secret")
        await test.library.stop()
    }

    @Test func o14_theFeedOfAnotherServerGetsNoHeader() async throws {
        let other = try OriginServer()
        try await other.serve(["/feed": ["text": .text(feed)]])
        let test = try await makeTest(link(other.base + "/feed"))
        _ = try await follow(test)
        #expect(try #require(try await other.log().first).header("X-Token") == nil)
        await test.library.stop()
    }

    @Test func o26_severalFeedsOfAPageAreNamed() async throws {
        let test = try await makeTest(link("/feed") + link("/news"))
        let error = await #expect(throws: FeedError.self) { try await follow(test) }
        #expect(error?.message.contains("a web page that names 2 feeds") == true)
        #expect(error?.message.contains("offline follow \(test.origin.base)/news") == true)
        await test.library.stop()
    }

    @Test func aPageThatNamesAPageIsNotFollowed() async throws {
        let test = try await makeTest(link("/"))
        let error = await #expect(throws: FeedError.self) { try await follow(test) }
        #expect(error?.code == .notAFeed)
        await test.library.stop()
    }

    @Test func o26_aPlaylistIsFollowed() async throws {
        let test = try await makeTest("")
        _ = try await follow(test, "/list.pls")
        #expect(try test.library.journal.items.items().map(\.title) == ["One"])
        await test.library.stop()
    }

    @Test func o20_aPlaylistInPlaceOfMediaNamesTheCommand() async throws {
        let test = try await makeTest("")
        let item = try await test.get("/list.pls")
        #expect(item.state == .failed)
        let message = try #require(item.failure?.message)
        #expect(message.contains("a playlist with 1 entry"), "\(message)")
        #expect(message.contains("offline follow"), "\(message)")
        await test.library.stop()
    }

    @Test func o20_aPageWithoutMediaNamesItsFeed() async throws {
        let test = try await makeTest(link("/feed"))
        let message = try #require(try await test.get("/").failure?.message)
        #expect(message.contains("offline follow \(test.origin.base)/feed"), "\(message)")
        #expect(message.contains("offline keeps media, not pages for reading."))
        await test.library.stop()
    }
}
