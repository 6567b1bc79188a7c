// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RegistryPagesTests {
    private let folder: TemporaryFolder
    private let registry: Registry

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
    }

    private func insert(_ states: [ItemState]) throws {
        for (index, state) in states.enumerated() {
            let address = try WebAddress("https://media.example/\(index)")
            let request = DownloadRequest(.address(address))
            _ = try registry.insert(request, state: state, title: "\(index)", at: Date())
        }
    }

    private func numbers(_ page: ItemPage) -> [Int64] { page.items.map(\.id.rawValue) }

    private func plan(_ query: ItemQuery) throws -> [String] {
        let (sql, values) = ItemReader.selection(query, limit: 10)
        return try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.rows("EXPLAIN QUERY PLAN " + sql, values: values) {
                row throws(SQLiteError) in try row.text("detail")
            }
        }
    }

    @Test func o30_thePagesContainEachItemOnceTheNewestFirst() throws {
        try insert(Array(repeating: .ready, count: 7))
        var query = ItemQuery(count: 3)
        var pages: [[Int64]] = []
        while true {
            let page = try registry.items.page(query)
            pages.append(numbers(page))
            #expect(page.total == 7)
            guard let next = page.next else { break }
            query.after = next
        }
        #expect(pages == [[7, 6, 5], [4, 3, 2], [1]])
    }

    @Test func o22_theQueueComesInItsOwnOrder() throws {
        try insert([.queued, .queued, .ready, .queued, .queued])
        _ = try QueueOrder(registry: registry).reorder(ItemID(rawValue: 5), .top)
        var query = ItemQuery(states: [.queued], count: 2)
        let first = try registry.items.page(query)
        #expect((numbers(first), first.total) == ([5, 1], 4))
        query.after = first.next
        let second = try registry.items.page(query)
        #expect((numbers(second), second.next) == ([2, 4], nil))
        let plan = try plan(query)
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") })
    }

    @Test func aPageThatEndsWithTheLastItemHasNoSuccessor() throws {
        try insert([.ready, .ready])
        #expect(try registry.items.page(ItemQuery(count: 2)).next == nil)
        let late = ItemQuery(after: ItemID(rawValue: 1), count: 2)
        #expect(try registry.items.page(late) == ItemPage(items: [], total: 2))
    }

    @Test func aPageOfSomeStatesLeavesOutTheOthers() throws {
        try insert([.ready, .failed, .missing, .ready, .queued, .missing])
        let page = try registry.items.page(ItemQuery(states: [.ready, .missing], count: 3))
        #expect(numbers(page) == [6, 4, 3])
        #expect(page.total == 4)
        #expect(page.next == ItemID(rawValue: 3))
    }

    @Test(arguments: [Set<ItemState>(), [.ready], [.ready, .missing, .failed]])
    func o30_aPageReadsNoOtherItemsAndSortsNone(_ states: Set<ItemState>) throws {
        let plan = try plan(ItemQuery(states: states, after: ItemID(rawValue: 9)))
        #expect(!plan.isEmpty)
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") })
    }

    private func insertFiles(_ files: [(title: String, type: String, size: Int)]) throws {
        try insert(files.map { _ in .ready })
        for (index, file) in files.enumerated() {
            try registry.connection.withLock { connection throws(SQLiteError) in
                try connection.execute(
                    """
                    UPDATE items SET title = '\(file.title)', media_type = '\(file.type)',
                    size = \(file.size), duration = \(file.size) WHERE id = \(index + 1)
                    """
                )
            }
        }
    }

    @Test(arguments: [
        (ItemOrder.newest, [Int64(5), 4, 3, 2, 1]), (.title, [5, 4, 2, 3, 1]),
        (.size, [2, 5, 3, 1, 4]), (.length, [2, 5, 3, 1, 4]),
    ])
    func thePagesOfEachOrderContainEachItemOnce(_ order: ItemOrder, _ all: [Int64]) throws {
        try insertFiles([
            ("d", "video/mp4", 2), ("b", "audio/mp4", 9), ("C", "text/plain", 4),
            ("B", "video/webm", 1), ("a", "application/pdf", 4),
        ])
        var query = ItemQuery(states: [.ready], order: order, count: 2)
        var found: [Int64] = []
        repeat {
            let page = try registry.items.page(query)
            found += numbers(page)
            query.after = page.next
        } while query.after != nil && found.count < 9
        #expect(found == all)
    }

    @Test(arguments: [(ItemMedia.video, [Int64(4), 1]), (.audio, [2]), (.text, [5, 3])])
    func aPageOfOneKindOfMediaLeavesOutTheOthers(_ media: ItemMedia, _ all: [Int64]) throws {
        try insertFiles([
            ("d", "video/mp4", 2), ("b", "audio/mp4", 9), ("C", "text/plain", 4),
            ("B", "video/webm", 1), ("a", "application/pdf", 4), ("z", "image/png", 4),
        ])
        let page = try registry.items.page(ItemQuery(states: [.ready], media: media))
        #expect(numbers(page) == all)
        #expect(page.total == all.count)
    }

    @Test func someItemsAreReturnedWithoutThoseThatDoNotExist() throws {
        try insert([.ready, .queued, .failed])
        let wanted = Set([3, 1, 9].map(ItemID.init(rawValue:)))
        #expect(try registry.items.items(wanted).map(\.id.rawValue) == [3, 1])
    }

    @Test func theCountsOfTheStatesFollowTheItems() throws {
        try insert([.ready, .failed, .ready])
        var counts = ItemCounts(try registry.items.items())
        #expect(counts.states == [.ready: 2, .failed: 1])
        counts.replace(try registry.items.item(ItemID(rawValue: 2)), by: nil)
        #expect(counts.states == [.ready: 2])
    }

    /// Changed values of the first item, and whether an item can have these values.
    private static let values: [(String, Bool)] = [
        ("state = 'unheard'", true), ("file_name = 'a/b.mp4'", true), ("file_name = '.a'", true),
        ("file_name = ''", true), ("media_type = 'video/mp4'", true), ("size = 7", true),
        ("state = 'queued'", true), ("duration = 1", true), ("title = x'00'", false),
        ("live = 'x'", false), ("error_code = x'00'", false), ("created_at = 'x'", false),
    ]

    @Test(arguments: values)
    func o28_theCountReadsEachRowLikeTheItems(_ value: String, _ isItem: Bool) throws {
        try insert([.ready, .failed, .ready])
        #expect(try registry.items.counts() == ItemCounts(try registry.items.items()))
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute("PRAGMA trusted_schema = ON")
            try connection.execute("UPDATE items SET \(value) WHERE id = 1")
        }
        if isItem {
            #expect(try registry.items.counts() == ItemCounts(try registry.items.items()))
        } else {
            #expect(throws: SQLiteError.self) { try registry.items.counts() }
        }
    }
}
