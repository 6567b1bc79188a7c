// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import TidingsSQLite

/// An item with the rows of other tables that an export contains.
struct ExportedItem: Sendable {
    let row: StoredItem
    /// Whether an entry of a feed refers to the item.
    let isInFeed: Bool
    var chapters: [Chapter] = []
    var checksums: [String: SubtitleChecksum] = [:]
}

/// Reads all items and feeds of a registry for an export.
struct ExportReader {
    let registry: Registry

    /// The number of items that are in memory at a time.
    private static let pieceCount = 1_000

    /// Calls a closure in which all reads see the same state of the file.
    ///
    /// The caller must prevent any other use of the registry during the call.
    ///
    /// - Throws: `SQLiteError`, and the error of the closure.
    func inOneState(_ body: () throws -> Void) throws {
        try registry.execute("BEGIN")
        // Nothing has changed, so a failure to end the transaction has no effect.
        defer { try? registry.execute("ROLLBACK") }
        try body()
    }

    /// Calls a closure with each item in the order of the numbers.
    ///
    /// - Throws: `SQLiteError`, and the error of the closure.
    func forEachItem(_ body: (ExportedItem) throws -> Void) throws {
        var last = ItemID(rawValue: 0)
        while true {
            let items = try storedItems(after: last)
            for item in items { try body(item) }
            guard items.count == Self.pieceCount, let end = items.last else { return }
            last = end.row.item.id
        }
    }

    private func storedItems(after last: ItemID) throws(SQLiteError) -> [ExportedItem] {
        try registry.withConnection { connection throws(SQLiteError) in
            var items = try connection.rows(
                """
                SELECT *, \(Self.inFeed) FROM items WHERE id > ? ORDER BY id LIMIT ?
                """,
                .id(last),
                .integer(Self.pieceCount)
            ) { row throws(SQLiteError) in
                ExportedItem(row: try StoredItem(row), isInFeed: try row.bool("in_feed"))
            }
            let end = items.last?.row.item.id ?? last
            let chapters = try FileRecords.chapters(connection, after: last, through: end)
            let checksums = try FileRecords.subtitleChecksums(connection, after: last, through: end)
            for index in items.indices {
                let id = items[index].row.item.id
                items[index].checksums = checksums[id] ?? [:]
                items[index].chapters = chapters[id] ?? []
            }
            return items
        }
    }
}
