// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite
import TidingsTestFixtures

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// Tests of requests for one address with different choices, sent before the server has answered.
@Suite(.timeLimit(.minutes(15)))
struct SameFileTests {
    private let test: TestLibrary

    init() throws {
        test = try TestLibrary()
    }

    /// Queues and downloads requests, and returns the items when all have ended.
    private func get(_ requests: [DownloadRequest]) async throws -> [MediaItem] {
        let changes = test.library.messages.messages(of: ItemChanged.self).values
        var ids: [ItemID] = []
        for request in requests { ids.append(try await test.library.enqueue(request).item.id) }
        #expect(Set(ids).count == requests.count)
        await test.start()
        var open = Set(ids)
        for await change in changes {
            if [.ready, .failed].contains(change.item.state) { open.remove(change.item.id) }
            if open.isEmpty { break }
        }
        return try ids.map { try test.library.item($0) }
    }

    @Test func o18_aFileIsKeptOnceAlsoIfItsAnswerComesAfterTwoRequests() async throws {
        try await test.origin.serve(["/a.txt": ["text": "a"]])
        let requests = try [QualityChoice.best, .height(720), .audio].map {
            try test.request("/a.txt", quality: $0)
        }
        let items = try await get(requests)
        let kept = try #require(items.first { $0.state == .ready })
        let refused = items.filter { $0.failure?.code == "sameFile" }
        #expect(refused.count == 2 && test.mediaNames == ["a.txt"])
        #expect(
            refused.allSatisfy { $0.failure?.message.contains("item \(kept.id) keeps it") == true }
        )
        // From now on, each request finds the item that keeps the file.
        for request in requests {
            guard case .alreadyReady(let item) = try await test.library.enqueue(request) else {
                Issue.record("the request does not find the item that keeps the file")
                continue
            }
            #expect(item.id == kept.id)
        }
        // After the removal of that item, a refused item can have the file.
        try await test.library.remove(kept.id, withFile: true)
        #expect(try await test.get(requests[1]).state == .ready)
        await test.library.stop()
    }

    @Test func o18_aSecondItemOfAgainKeepsTheFileToo() async throws {
        try await test.origin.serve(["/a.txt": ["text": "a"]])
        var again = try test.request("/a.txt", quality: .height(720))
        again.again = true
        let items = try await get([try test.request("/a.txt"), again])
        #expect(items.map(\.state) == [.ready, .ready])
        await test.library.stop()
    }

    @Test func o18_aSecondItemOfAgainTakesNoFileWhicheverAnswerComesFirst() throws {
        let journal = test.library.journal
        var again = try test.request("/a.txt", quality: .height(720))
        again.again = true
        let ids = try [try test.request("/a.txt"), again].map { request in
            try journal.insertUnlessKnown(request, title: "A", at: Date()).item.id
        }
        let address = try test.origin.address("/a.txt")
        #expect(
            try ids.reversed().map { try journal.claimFile(of: $0, at: address) } == [nil, nil]
        )
    }

    @Test func o18_aPartOfAFileIsAnItemOfItsOwn() throws {
        let journal = test.library.journal
        var part = try test.request("/a.mp4")
        part.choice.chapters = try ChapterRange("2-4")
        var otherPart = try test.request("/a.mp4", quality: .audio)
        otherPart.choice.chapters = part.choice.chapters
        let ids = try [try test.request("/a.mp4"), part, otherPart].map { request in
            try journal.insertUnlessKnown(request, title: "A", at: Date()).item.id
        }
        let address = try test.origin.address("/a.mp4")
        #expect(try ids.map { try journal.claimFile(of: $0, at: address) } == [nil, nil, ids[1]])
    }

    @Test func o18_filesThatAPageNamesAreNotOfItsAddress() throws {
        let journal = test.library.journal
        let page = try test.request("/watch")
        let small = try test.request("/watch", quality: .height(360))
        let file = try test.origin.address("/a.mp4")
        let ids = try [page, small].map { request in
            try journal.insertUnlessKnown(request, title: "A", at: Date()).item.id
        }
        #expect(try ids.map { try journal.claimFile(of: $0, at: file) } == [nil, nil])
    }

    @Test func o18_itemsOfAnEarlierVersionStay() throws {
        let journal = test.library.journal
        let ids = try [QualityChoice.best, .audio].map { quality in
            let request = try test.request("/a.txt", quality: quality)
            return try journal.insertUnlessKnown(request, title: "A", at: Date()).item.id
        }
        // The migration marks the items in this way.
        try journal.registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute("UPDATE items SET is_separate = 1")
        }
        let address = try test.origin.address("/a.txt")
        #expect(try ids.map { try journal.claimFile(of: $0, at: address) } == [nil, nil])
    }
}
