// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsLock
import TidingsSQLite

@testable import OfflineDownloads
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RegistryOrderTests {
    private let folder: TemporaryFolder
    private let registry: Registry

    init() throws {
        folder = try TemporaryFolder()
        registry = try Registry(path: folder.path + "/registry.sqlite")
    }

    @discardableResult
    private func add(_ count: Int, of host: String = "a.example") throws -> [ItemID] {
        try (0..<count).map { number in
            let address = try WebAddress("http://\(host)/\(number)")
            return try registry.insert(DownloadRequest(.address(address)), title: "", at: Date()).id
        }
    }

    private func order() throws -> [Int64] {
        try QueueReader(registry: registry).queuedItems().map(\.id.rawValue)
    }

    @Test(arguments: [
        (QueuePlace.top, [3, 1, 2, 4] as [Int64], 1), (.up, [1, 3, 2, 4], 2),
        (.down, [1, 2, 4, 3], 2), (.bottom, [1, 2, 4, 3], 1),
    ])
    func o22_aMoveChangesTheOrderAndAtMostTwoRows(
        place: QueuePlace,
        expected: [Int64],
        rows: Int
    ) throws {
        let ids = try add(4)
        #expect(try QueueOrder(registry: registry).reorder(ids[2], place)?.count == rows)
        #expect(try order() == expected)
        let other = try Registry(path: folder.path + "/registry.sqlite", mode: .readOnly)
        #expect(try QueueReader(registry: other).queuedItems().map(\.id.rawValue) == expected)
    }

    @Test(arguments: [
        (4, 0, [5, 1, 2, 3, 4] as [Int64], 5), (0, 4, [2, 3, 4, 1, 5], 4),
        (3, 2, [1, 2, 4, 3, 5], 2),
        (1, 2, [1, 2, 3, 4, 5], 0), (2, 2, [1, 2, 3, 4, 5], 0), (1, 4, [1, 3, 4, 2, 5], 3),
    ])
    func o22_anItemMovesBeforeAnyOtherOne(
        moved: Int,
        other: Int,
        expected: [Int64],
        rows: Int
    ) throws {
        let ids = try add(5)
        #expect(
            try QueueOrder(registry: registry).reorder(ids[moved], .before(ids[other]))?.count
                == rows
        )
        #expect(try order() == expected)
        // Each item has its own position. Otherwise, a later move would find no neighbor.
        #expect(Set(try registry.items.items().map(\.position)).count == 5)
    }

    @Test func anItemMovesOnlyBeforeAQueuedOne() throws {
        let ids = try add(3)
        _ = try registry.update(ids[0], .pause, with: [])
        #expect(try QueueOrder(registry: registry).reorder(ids[2], .before(ids[0])) == nil)
        #expect(
            try QueueOrder(registry: registry).reorder(ids[2], .before(ItemID(rawValue: 99))) == nil
        )
        // A paused item between the two items keeps its position.
        let paused = try registry.items.item(ids[0])?.position
        #expect(try QueueOrder(registry: registry).reorder(ids[2], .before(ids[1]))?.count == 2)
        #expect(try registry.items.item(ids[0])?.position == paused)
        #expect(try order() == [3, 2])
    }

    @Test func atItsEndAnItemStays() throws {
        let ids = try add(2)
        for place in [QueuePlace.top, .up] {
            #expect(try QueueOrder(registry: registry).reorder(ids[0], place)?.isEmpty == true)
        }
        for place in [QueuePlace.bottom, .down] {
            #expect(try QueueOrder(registry: registry).reorder(ids[1], place)?.isEmpty == true)
        }
    }

    @Test func onlyQueuedItemsHaveAPlace() throws {
        let ids = try add(3)
        _ = try registry.update(ids[1], .pause, with: [])
        #expect(try QueueOrder(registry: registry).reorder(ids[1], .top) == nil)
        #expect(try QueueOrder(registry: registry).reorder(ItemID(rawValue: 99), .top) == nil)
        // The paused item does not count as a neighbor.
        #expect(try QueueOrder(registry: registry).reorder(ids[2], .up)?.count == 2)
        #expect(try order() == [3, 1])
    }

    @Test func o1_aRetriedItemHasItsPlaceAndANewOneIsLast() throws {
        let ids = try add(3)
        _ = try QueueOrder(registry: registry).reorder(ids[2], .top)
        _ = try registry.update(ids[2], .start, with: [])
        try registry.requeueInterrupted()
        try add(1)
        #expect(try order() == [3, 1, 2, 4])
    }

    @Test func theQueueReadsABoundedNumberOfRows() throws {
        try add(QueueReader.queueBatch + 20)
        try add(20, of: "b.example:81")
        #expect(try QueueReader(registry: registry).queuedItems().count == QueueReader.queueBatch)
        let more = try QueueReader(registry: registry).queuedItems(8) { $0 != "a.example" }
        #expect(more.map(\.host) == [String](repeating: "b.example:81", count: 8))
        #expect(more.first?.id.rawValue == Int64(QueueReader.queueBatch + 21))
    }

    @Test func onlySomeItemsAreRead() throws {
        let ids = try add(QueueReader.queueBatch + 5)
        _ = try registry.update(ids[1], .pause, with: [])
        let wanted: Set = [ids[1], ids[QueueReader.queueBatch + 1], ids[0]]
        let found = try QueueReader(registry: registry).queuedItems(among: wanted).map(\.id)
        #expect(found == [ids[0], ids[QueueReader.queueBatch + 1]])
        #expect(try QueueReader(registry: registry).queuedItems(among: []).isEmpty)
    }

    @Test func recordingsAreFoundBehindManyOthers() throws {
        try add(QueueReader.queueBatch + 5)
        var request = DownloadRequest(.address(try WebAddress("http://c.example/live")))
        request.live = LiveRecording()
        let item = try registry.insert(request, title: "", at: Date())
        #expect(try QueueReader(registry: registry).queuedRecordings().map(\.id) == [item.id])
    }

    /// With a scan of all items, each start of the queue would be as slow as the library is large.
    @Test(arguments: [
        "SELECT id, host, live, position FROM items WHERE state = ? ORDER BY position, id LIMIT ?",
        """
        SELECT id, host, live, position FROM items WHERE state = ? AND host = ?
        ORDER BY position, id LIMIT ?
        """,
        """
        SELECT id, host, live, position FROM items WHERE state = ? AND live = 1
        ORDER BY position, id LIMIT ?
        """,
        "SELECT min(host) FROM items WHERE state = ? AND host > ?",
        "SELECT max(position) FROM items",
    ])
    func theQueriesOfTheQueueUseAnIndexInItsOrder(sql: String) throws {
        let plan = try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.rows("EXPLAIN QUERY PLAN " + sql, values: Self.nulls(in: sql)) {
                row throws(SQLiteError) in
                try row.text("detail")
            }
        }
        #expect(plan.allSatisfy { $0.contains("SEARCH") }, "\(plan)")
    }

    private static func nulls(in sql: String) -> [SQLiteValue?] {
        sql.filter { $0 == "?" }.map { _ in nil }
    }

    @Test(arguments: [
        ("https://A.example/x/y", "a.example"), ("http://a.example:81/", "a.example:81"),
        ("http://a.example", "a.example"), ("sample:stream", ""), ("import:a/b", ""),
    ])
    func theHostFollowsTheAddress(source: String, host: String) throws {
        try add(1)
        try registry.connection.withLock { connection throws(SQLiteError) in
            try connection.execute("UPDATE items SET source = ?", .text(source))
        }
        #expect(try QueueReader(registry: registry).queuedItems().map(\.host) == [host])
    }

    @Test func o28_itemsOfTheSchemaBeforeKeepTheirOrder() throws {
        let path = folder.path + "/old.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        let version = try Self.versionWithoutOrder()
        for step in Migration.all.prefix(version) { try step.change(connection) }
        try connection.setUserVersion(version)
        // The triggers of the word index write to a virtual table.
        try connection.execute("PRAGMA trusted_schema = ON")
        for (id, state) in [(5, "queued"), (7, "ready"), (9, "queued")] {
            try connection.execute(
                """
                INSERT INTO items (id, source, rendition, allows_private, title, state, created_at)
                VALUES (?, 'http://a.example/', 'best', 0, '', ?, 0)
                """,
                .integer(id),
                .text(state)
            )
        }
        connection.close()
        let migrated = try Registry(path: path)
        #expect(try QueueReader(registry: migrated).queuedItems().map(\.id.rawValue) == [5, 9])
        #expect(try migrated.items.items().map(\.position) == [9, 7, 5])
    }

    private static func versionWithoutOrder() throws -> Int {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        var version = 0
        for step in Migration.all {
            try step.change(connection)
            if try connection.columnsByTable()["items"]?.contains("position") == true { break }
            version += 1
        }
        return version
    }
}
