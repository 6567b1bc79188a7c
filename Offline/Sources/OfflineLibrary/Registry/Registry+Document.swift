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
        /// The time of the finished file in nanoseconds since 1970.
        let modified: Int64?
        var chapters: [Chapter] = []
        var subtitleChecksums: [String: SubtitleChecksum] = [:]
        /// Whether an entry of a feed refers to it.
        let isInFeed: Bool
        /// Whether the person keeps it on purpose.
        let isKept: Bool
    }

    /// The number of items that are in memory at once.
    private static let pieceCount = 1_000

    /// Calls a closure whose reads are all of one state of the file.
    ///
    /// The registry must have no other user meanwhile.
    ///
    /// - Throws: `SQLiteError`, and the error of the closure.
    func inOneState(_ body: () throws -> Void) throws {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute("BEGIN")
        }
        // Nothing has changed, so a failure to end has no effect either.
        defer { connection.withLock { connection in try? connection.execute("ROLLBACK") } }
        try body()
    }

    /// Calls a closure with each item in the order of the numbers.
    ///
    /// - Throws: `SQLiteError`, and the error of the closure.
    func forEachItem(_ body: (StoredItem) throws -> Void) throws {
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
            var items = try connection.rows(
                """
                SELECT *, \(Self.inFeed) FROM items WHERE id > ? ORDER BY id LIMIT ?
                """,
                .integer(Int(last.rawValue)),
                .integer(Self.pieceCount)
            ) { row throws(SQLiteError) in
                StoredItem(
                    item: try MediaItem(row),
                    options: try row.optionalText("options"),
                    sha256: try row.optionalText("sha256"),
                    modified: try row.optionalInt("modified").map(Int64.init),
                    isInFeed: try row.int("in_feed") != 0,
                    isKept: try row.int("kept") != 0
                )
            }
            let end = items.last?.item.id ?? last
            let chapters = try Self.chapters(connection, after: last, through: end)
            let checksums = try Self.subtitleChecksums(connection, after: last, through: end)
            for index in items.indices {
                items[index].subtitleChecksums = checksums[items[index].item.id] ?? [:]
                items[index].chapters = Chapter.list(chapters[items[index].item.id] ?? [])
            }
            return items
        }
    }

    private static func chapters(
        _ connection: SQLiteConnection,
        after first: ItemID,
        through last: ItemID
    ) throws(SQLiteError) -> [ItemID: [(start: Double, title: String)]] {
        let rows = try connection.rows(
            """
            SELECT item, start, title FROM chapters WHERE item > ? AND item <= ?
            ORDER BY item, number
            """,
            .integer(Int(first.rawValue)),
            .integer(Int(last.rawValue))
        ) { row throws(SQLiteError) in
            (try row.int("item"), (start: try row.double("start"), title: try row.text("title")))
        }
        return Dictionary(grouping: rows) { ItemID(rawValue: Int64($0.0)) }
            .mapValues { $0.map(\.1) }
    }

    /// The changes of an import.
    struct ImportResult: Sendable {
        var inserted: [MediaItem] = []
        /// The feeds that are new.
        var feeds: [FeedID] = []
        var report = ImportReport()
    }

    /// Inserts what the registry does not have, in one transaction.
    ///
    /// - Returns: The new items and feeds, and the numbers of the report.
    func insert(
        _ library: ImportedLibrary,
        at date: Date
    ) throws(SQLiteError) -> ImportResult {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                var result = ImportResult()
                result.report.skippedSettings = library.skippedSettings
                for (key, value) in library.settings
                where try Self.insert(connection, key, value) {
                    result.report.settings += 1
                }
                let ids = try Self.insert(connection, library.items, &result)
                try Self.insert(connection, library.feeds, ids, at: date, &result)
                try Self.insert(connection, library.collections, ids, &result)
                for (id, item) in zip(ids, library.items) where item.line.kept == true {
                    try Self.keep(connection, id.item)
                }
                return result
            }
        }
    }

    /// Inserts a setting unless the person has given it a value; returns whether it is new.
    private static func insert(
        _ connection: SQLiteConnection,
        _ key: SettingKey,
        _ value: String
    ) throws(SQLiteError) -> Bool {
        try connection.execute(
            "INSERT OR IGNORE INTO preferences (name, value) VALUES (?, ?)",
            .text(settingPrefix + key.rawValue),
            .text(value)
        )
        return connection.changes > 0
    }

    /// The item of a line of an import.
    typealias ItemOfLine = (item: ItemID, isNew: Bool)

    /// Inserts the items that the registry does not have; returns the item of each line.
    private static func insert(
        _ connection: SQLiteConnection,
        _ items: [ImportedItem],
        _ result: inout ImportResult
    ) throws(SQLiteError) -> [ItemOfLine] {
        // Two items of the import may have one address; only those before it are known.
        let last =
            try connection.rows("SELECT MAX(id) AS last FROM items") {
                row throws(SQLiteError) in try row.optionalInt("last")
            }.first.flatMap(\.self) ?? 0
        let first = try lastPosition(connection) + 1
        var found: [ItemOfLine] = []
        for (item, rank) in zip(items, ranks(items)) {
            result.report.items += 1
            if item.line.omitted != nil { result.report.withoutOptions += 1 }
            if item.line.allowPrivate == true, !item.allowsPrivate {
                result.report.withoutPermission += 1
            }
            if let known = try known(connection, item, through: last) {
                result.report.known += 1
                if item.allowsPrivate { try allowPrivate(connection, known) }
                found.append((known, false))
                continue
            }
            let (id, state) = try insert(connection, item, at: first + rank)
            found.append((id, true))
            switch state {
            case .ready, .unverified: result.report.ready += 1
            case .missing: result.report.missing += 1
            default: result.report.unfinished += 1
            }
        }
        result.inserted = try connection.rows(
            "SELECT * FROM items WHERE id > ? ORDER BY id",
            .integer(last)
        ) { row throws(SQLiteError) in try MediaItem(row) }
        if result.report.known < result.report.items { try needPictures(connection, after: last) }
        return found
    }

    private static func allowPrivate(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) {
        try connection.execute(
            "UPDATE items SET allows_private = 1 WHERE id = ?",
            .integer(Int(id.rawValue))
        )
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

    private static func known(
        _ connection: SQLiteConnection,
        _ item: ImportedItem,
        through last: Int
    ) throws(SQLiteError) -> ItemID? {
        try connection.rows(
            """
            SELECT id FROM items WHERE id <= ? AND source = ? AND \(isSame)
            UNION ALL
            SELECT id FROM items WHERE file_name = ? COLLATE NOCASE AND size = ? LIMIT 1
            """,
            values: [.integer(last), .text(item.line.address)] + item.choice.columns + [
                item.choice.part, .optional(item.fileName), .optional(item.line.size),
            ]
        ) { row throws(SQLiteError) in ItemID(rawValue: Int64(try row.int("id"))) }
        .first
    }

    /// Inserts an item; one whose name another item has gets none, and is missing.
    private static func insert(
        _ connection: SQLiteConnection,
        _ item: ImportedItem,
        at position: Int
    ) throws(SQLiteError) -> (ItemID, ItemState) {
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
                source, quality, audio, subtitles, kept_chapters, allows_private, title, kind,
                state, file_name, size, sha256, media_type, duration, width, height, note,
                error_code, error_message, created_at, ready_at, live, live_seconds, options,
                position, modified
            )
            VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            )
            """,
            values: [.text(line.address)] + item.choice.columns + [
                .bool(item.allowsPrivate), .text(item.title), .optional(line.kind),
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
                .integer(position), name == nil ? .null : .optional(line.modified),
            ]
        )
        let id = ItemID(rawValue: Int64(connection.lastInsertedRow))
        for (number, chapter) in item.chapters.enumerated() {
            try connection.execute(
                "INSERT INTO chapters (item, number, start, title) VALUES (?, ?, ?, ?)",
                .integer(Int(id.rawValue)),
                .integer(number),
                .real(chapter.start),
                .text(chapter.title)
            )
        }
        if let playback = line.playback { try set(connection, playback, of: id) }
        for (suffix, checksum) in line.subtitleChecksums ?? [:] where name != nil {
            try setSubtitleChecksum(connection, checksum, suffix, of: id)
        }
        return (id, state)
    }
}
