// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

/// Reads and adds all items of a library at once, for its export and import.
extension Registry {
    /// An item with the columns that `MediaItem` leaves out.
    struct StoredItem: Sendable {
        let item: MediaItem
        let options: String?
        let sha256: String?
    }

    /// The number of items that are in memory at once.
    private static let pieceCount = 1_000

    /// Calls a closure with each item in the order of the numbers.
    ///
    /// All of them are of one state of the file. The registry must have no other user meanwhile.
    ///
    /// - Throws: `SQLiteError`, and the error of the closure.
    func forEachItem(_ body: (StoredItem) throws -> Void) throws {
        guard hasTables else { return }
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute("BEGIN")
        }
        // Nothing has changed, so a failure to end has no effect either.
        defer { connection.withLock { connection in try? connection.execute("ROLLBACK") } }
        var last = ItemID(rawValue: 0)
        while true {
            let items = try storedItems(after: last)
            for item in items { try body(item) }
            guard items.count == Self.pieceCount, let end = items.last else { return }
            last = end.item.id
        }
    }

    private func storedItems(after last: ItemID) throws(SQLiteError) -> [StoredItem] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT * FROM items WHERE id > ? ORDER BY id LIMIT ?",
                .integer(Int(last.rawValue)),
                .integer(Self.pieceCount)
            ) { row throws(SQLiteError) in
                StoredItem(
                    item: try MediaItem(row),
                    options: try row.optionalText("options"),
                    sha256: try row.optionalText("sha256")
                )
            }
        }
    }

    /// Inserts the items that the registry does not have, in one transaction.
    ///
    /// - Returns: The new items, and the numbers of the report.
    func insert(
        _ items: [ImportedItem]
    ) throws(SQLiteError) -> (inserted: [MediaItem], report: ImportReport) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                // Two items of the import may have one address; only those before it are known.
                let last =
                    try connection.rows("SELECT MAX(id) AS last FROM items") {
                        row throws(SQLiteError) in try row.optionalInt("last")
                    }.first.flatMap(\.self) ?? 0
                let first = try Self.lastPosition(connection) + 1
                var report = ImportReport()
                for (item, rank) in zip(items, Self.ranks(items)) {
                    report.items += 1
                    if item.line.omitted != nil { report.withoutOptions += 1 }
                    if try Self.isKnown(connection, item, through: last) {
                        report.known += 1
                        continue
                    }
                    let state = try Self.insert(connection, item, at: first + rank)
                    switch state {
                    case .ready: report.ready += 1
                    case .missing: report.missing += 1
                    default: report.unfinished += 1
                    }
                }
                let inserted = try connection.rows(
                    "SELECT * FROM items WHERE id > ? ORDER BY id",
                    .integer(last)
                ) { row throws(SQLiteError) in try MediaItem(row) }
                return (inserted, report)
            }
        }
    }

    private static func lastPosition(_ connection: SQLiteConnection) throws(SQLiteError) -> Int {
        try connection.rows("SELECT coalesce(max(position), 0) AS last FROM items") {
            row throws(SQLiteError) in try row.int("last")
        }.first ?? 0
    }

    /// Returns the place of each item in the order of the queue that the text states.
    private static func ranks(_ items: [ImportedItem]) -> [Int] {
        let order = items.indices.sorted { left, right in
            (items[left].line.position ?? .max, left) < (items[right].line.position ?? .max, right)
        }
        var ranks = Array(repeating: 0, count: items.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        return ranks
    }

    private static func isKnown(
        _ connection: SQLiteConnection,
        _ item: ImportedItem,
        through last: Int
    ) throws(SQLiteError) -> Bool {
        let found = try connection.rows(
            """
            SELECT id FROM items WHERE id <= ? AND source = ? AND (\(isChoice) OR kind = 'file')
            UNION ALL
            SELECT id FROM items WHERE file_name = ? COLLATE NOCASE AND size = ? LIMIT 1
            """,
            values: [.integer(last), .text(item.line.address)] + item.choice.columns
                + [.optional(item.fileName), .optional(item.line.size)]
        ) { row throws(SQLiteError) in try row.int("id") }
        return !found.isEmpty
    }

    /// Inserts an item; one whose name another item has gets none, and is missing.
    private static func insert(
        _ connection: SQLiteConnection,
        _ item: ImportedItem,
        at position: Int
    ) throws(SQLiteError) -> ItemState {
        var name = item.fileName
        var state = item.state
        if let wanted = name {
            let others = try connection.rows(
                "SELECT id FROM items WHERE file_name = ? COLLATE NOCASE LIMIT 1",
                .text(wanted)
            ) { row throws(SQLiteError) in try row.int("id") }
            if !others.isEmpty {
                name = nil
                state = .missing
            }
        }
        let line = item.line
        try connection.execute(
            """
            INSERT INTO items (
                source, quality, audio, subtitles, allows_private, title, kind, state, file_name,
                size, sha256, media_type, duration, width, height, note, error_code,
                error_message, created_at, ready_at, live, live_seconds, options, position
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values: [.text(line.address)] + item.choice.columns + [
                .bool(line.allowPrivate ?? false), .text(item.title), .optional(line.kind),
                .text(state.rawValue), .optional(name),
                name == nil ? .null : .optional(line.size),
                name == nil ? .null : .optional(line.sha256), .optional(line.mediaType),
                line.duration.map { .real($0) }, line.width.map { .integer($0) },
                line.height.map { .integer($0) }, .optional(line.note),
                .optional(state == .failed ? line.error?.code ?? "interrupted" : nil),
                .optional(state == .failed ? line.error?.message : nil),
                .real(line.createdAt.timeIntervalSince1970),
                line.readyAt.map { .real($0.timeIntervalSince1970) },
                .integer(line.live.map { $0.isOver ? 2 : 1 } ?? 0),
                line.live?.seconds.map { .real($0) }, .optional(item.options.stored),
                .integer(position),
            ]
        )
        return state
    }
}
