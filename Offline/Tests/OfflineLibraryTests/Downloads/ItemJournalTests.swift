// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct ItemJournalTests {
    @Test func messagesArriveInTheOrderOfTheCommits() async throws {
        let test = try TestLibrary()
        let journal = test.library.journal
        let id = try await test.library.enqueue(try test.request("/a")).item.id
        let recorder = MessageRecorder(ItemChanged.self, on: test.library.messages)
        let isBlocked = Gate()
        let resume = DispatchSemaphore(value: 0)
        let token = test.library.messages.observe(ItemChanged.self) { message in
            guard message.item.note == "one" else { return }
            isBlocked.open()
            resume.wait()
        }
        async let first = performBlocking { try journal.change(id, .set(\.note, "one")) }
        try await isBlocked.wait()
        _ = try await performBlocking { try journal.change(id, .set(\.note, "two")) }
        resume.signal()
        _ = try await first
        _ = try await recorder.first(2)
        #expect(recorder.messages.map(\.item.note) == ["one", "two"])
        token.cancel()
        await test.library.stop()
    }

    @Test func theCountsFollowEveryChange() async throws {
        let test = try TestLibrary()
        let journal = test.library.journal
        func counts() -> [Int] {
            let counts = journal.counts.lastData ?? ItemCounts()
            return [counts.waiting, counts.videos]
        }
        let id = try await test.library.enqueue(try test.request("/a")).item.id
        _ = try await test.library.enqueue(try test.request("/b"))
        #expect(counts() == [2, 0])
        try journal.move(id, .start)
        #expect(counts() == [2, 0])
        try journal.move(id, .check, with: .set(\.mediaType, "video/mp4"))
        try journal.move(id, .finish)
        #expect(counts() == [1, 1])
        #expect(journal.counts.lastData == ItemCounts(try journal.items.items()))
        try journal.remove(id)
        #expect(counts() == [1, 0])
        await test.library.stop()
    }

    @Test func aClaimedFileAndEachChangeOfAFeedArePosted() async throws {
        let test = try TestLibrary()
        let journal = test.library.journal
        let changes = MessageRecorder(ItemChanged.self, on: test.library.messages)
        let feeds = MessageRecorder(FeedsChanged.self, on: test.library.messages)
        let id = try await test.library.enqueue(try test.request("/a")).item.id
        #expect(try journal.claimFile(of: id, at: test.origin.address("/a")) == nil)
        #expect(try journal.claimFile(of: id, at: test.origin.address("/b")) == nil)
        #expect(changes.messages.map(\.item.kind) == [.file])
        let request = try FeedRequest(test.origin.address("/feed"))
        let feed = try journal.follow(request, title: "Pod", at: Date())
        #expect(feeds.messages.count == 1)
        #expect(try journal.unfollow(feed.id) && !journal.unfollow(feed.id))
        #expect(feeds.messages.count == 2)
        await test.library.stop()
    }
}
