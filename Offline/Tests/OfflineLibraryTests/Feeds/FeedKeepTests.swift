// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsSQLite
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests that a feed removes only items without a mark, and only files that no user has changed.
@Suite(.timeLimit(.minutes(15)))
struct FeedKeepTests {
    private let test: FollowedLibrary

    init() throws {
        test = try FollowedLibrary()
    }

    /// Follows a feed with two ready items, of which the second has expired.
    private func followed() throws -> (feed: Feed, newest: MediaItem, expired: MediaItem) {
        let feed = try test.follow(keep: 2)
        let items = try test.check(
            feed,
            [.init(guid: "2", path: "2"), .init(guid: "1", path: "1")]
        )
        let ready = try items.map { try test.finish($0) }
        return (try test.follow(keep: 1), ready[1], ready[0])
    }

    @Test func o26_anExpiredItemIsRemovedWithItsFile() async throws {
        let (feed, newest, expired) = try followed()
        try await test.removeExpired(expired.id, of: feed)
        try await test.removeExpired(newest.id, of: feed)
        #expect(try test.registry.items.items().map(\.id) == [newest.id])
        #expect(SystemFile.names(in: test.library.directory.media).contains("\(newest.id).mp3"))
        #expect(!SystemFile.exists(test.filled.path("\(expired.id).mp3")))
    }

    @Test func o26_theMarkOfAKeptItemSurvivesItsFeed() async throws {
        let (feed, _, expired) = try followed()
        _ = try test.library.keep(expired.id)
        var other = try test.follow("moved", keep: 2)
        try test.check(other, [.init(guid: "2", path: "2"), .init(guid: "1", path: "1")])
        other = try test.follow("moved", keep: 1)
        #expect(try test.registry.feedWriter.unfollow(feed.id))
        try test.finish(try test.check(other, [.init(guid: "3", path: "3")])[0])
        #expect(
            try test.registry.feeds.feedItems(of: other.id).map(\.isKept) == [false, false, true]
        )
        try await test.removeExpired(expired.id, of: other)
        #expect(try test.has(expired))
        #expect(SystemFile.exists(test.filled.path("\(expired.id).mp3")))
    }

    @Test func o26_oneTransactionDecidesBetweenKeepingAndRemoving() throws {
        let (feed, _, expired) = try followed()
        let items = try test.registry.feeds.feedItems(of: feed.id)
        #expect(FeedRetention.expired(items, keep: 1) == [expired.id])
        // The mark comes between the reading of the list and the removal.
        _ = try test.library.keep(expired.id)
        #expect(try !test.library.journal.removeExpired(expired.id, of: feed.id))
        #expect(try test.has(expired))
    }

    @Test func o26_anItemThatWasRemovedFirstCannotBeKept() throws {
        let (feed, _, expired) = try followed()
        #expect(try test.library.journal.removeExpired(expired.id, of: feed.id))
        let error = #expect(throws: LibraryError.self) { try test.library.keep(expired.id) }
        #expect(error?.code == .notFound)
    }

    @Test func o26_theFilesOfAFeedThatIsNoLongerFollowedStay() async throws {
        let (feed, _, expired) = try followed()
        #expect(try test.registry.feedWriter.unfollow(feed.id))
        try await test.removeExpired(expired.id, of: feed)
        #expect(try test.has(expired))
    }

    @Test func o26_aRenamedItemIsKept() async throws {
        let (feed, _, expired) = try followed()
        let changes = MessageRecorder(FeedsChanged.self, on: test.library.messages)
        let renamed = try await test.library.rename(expired.id, to: expired.title)
        _ = try await changes.next()
        try await test.removeExpired(renamed.id, of: feed)
        #expect(try test.registry.feeds.feedItems(of: feed.id).map(\.isKept) == [false, true])
        #expect(try test.has(expired))
    }

    @Test func o26_anEditOfTheSameSizeIsKept() async throws {
        let (feed, _, expired) = try followed()
        let path = test.filled.path("\(expired.id).mp3")
        try touch(path, "CONTENT")
        let changes = MessageRecorder(FeedsChanged.self, on: test.library.messages)
        try await test.removeExpired(expired.id, of: feed)
        _ = try await changes.next()
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("CONTENT".utf8))
        #expect(try test.registry.feeds.feedItems(of: feed.id).map(\.isKept) == [false, true])
    }

    @Test(arguments: ["srt", "en.vtt", "de.forced.srt"])
    func o26_subtitlesThatAPersonAddedAreKeptWithTheirFilm(suffix: String) async throws {
        let (feed, _, expired) = try followed()
        let name = "\(expired.id).\(suffix)"
        try test.filled.write("mine", to: name)
        try await test.removeExpired(expired.id, of: feed)
        #expect(try test.has(expired))
        #expect(SystemFile.exists(test.filled.path(name)))
        #expect(SystemFile.exists(test.filled.path("\(expired.id).mp3")))
    }

    @Test(arguments: [false, true])
    func o26_subtitlesOfTheProgramAreRemovedUnlessTheyWereChanged(isChanged: Bool) async throws {
        let (feed, _, expired) = try followed()
        let name = "\(expired.id).en.vtt"
        let path = test.filled.path(name)
        try test.filled.write("WEBVTT", to: name)
        let stamp = try #require(FileStamp(of: path))
        try test.registry.files.addSubtitleFile(name, stamp, of: expired.id)
        if isChanged { try touch(path, "webvtt") }
        try await test.removeExpired(expired.id, of: feed)
        #expect(SystemFile.exists(path) == isChanged)
        #expect(try test.has(expired) == isChanged)
    }

    @Test func o26_anItemWithoutItsFileStaysAsItIs() async throws {
        let (feed, _, expired) = try followed()
        try SystemFile.remove(test.filled.path("\(expired.id).mp3"))
        try await test.removeExpired(expired.id, of: feed)
        #expect(try test.has(expired))
        #expect(try test.registry.feeds.feedItems(of: feed.id).map(\.isKept) == [false, false])
    }

    @Test func o26_aFileOfAnEarlierVersionIsRemovedUnlessItChangedAfterItWasReady() throws {
        let (_, newest, expired) = try followed()
        for item in [newest, expired] { try test.library.journal.change(item.id, .modified(nil)) }
        let path = test.filled.path("\(newest.id).mp3")
        try touch(path, "CONTENT", at: Date() + 60)
        let files = WrittenFiles(directory: test.library.directory, journal: test.library.journal)
        #expect(try files.compare(newest) == .changed)
        #expect(try files.compare(expired) == .unchanged(["\(expired.id).mp3"]))
    }

    /// Writes a string to a file with a time that differs from the previous time.
    private func touch(_ path: String, _ text: String, at date: Date = Date() - 3_600) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
}
