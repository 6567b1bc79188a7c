// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineStore
import TidingsSQLite

/// The changes of an import.
struct ImportResult: Sendable {
    var inserted: [MediaItem] = []
    /// The items of the library that the import has changed, before and after the change.
    var changed: [(old: MediaItem, new: MediaItem)] = []
    /// Whether the import marks items of the library as kept.
    var isAnyKept = false
    /// The feeds that are new.
    var feeds: [FeedID] = []
    var report = ImportReport()
}

/// Adds the items, feeds, collections and settings of an import to a registry.
struct ImportWriter {
    let registry: Registry

    /// Inserts everything that the registry does not have, in one transaction.
    ///
    /// - Returns: The new items and feeds, and the numbers of the report.
    func insert(_ library: ImportedLibrary, at date: Date) throws(SQLiteError) -> ImportResult {
        try registry.transaction { connection throws(SQLiteError) in
            var result = ImportResult()
            result.report.skippedSettings = library.skippedSettings
            for (key, value) in library.settings
            where try Self.insert(connection, key, value: value) {
                result.report.settings += 1
            }
            let ids = try Self.insert(connection, library.items, result: &result)
            try Self.insert(
                connection,
                library.feeds,
                items: ids,
                at: date,
                result: &result
            )
            try Self.insert(connection, library.collections, items: ids, result: &result)
            return result
        }
    }

    /// Inserts a setting without a stored value, and returns whether the value was inserted.
    private static func insert(
        _ connection: SQLiteConnection,
        _ key: SettingKey,
        value: String
    ) throws(SQLiteError) -> Bool {
        try connection.execute(
            "INSERT OR IGNORE INTO preferences (name, value) VALUES (?, ?)",
            .text(Preferences.settingPrefix + key.rawValue),
            .text(value)
        )
        return connection.changes > 0
    }

    /// The item for a line of an import.
    typealias ItemOfLine = (item: ItemID, isNew: Bool)

    /// Inserts the items that the registry does not have, and returns the item of each line.
    private static func insert(
        _ connection: SQLiteConnection,
        _ items: [ImportedItem],
        result: inout ImportResult
    ) throws(SQLiteError) -> [ItemOfLine] {
        // Two items of the import may have the same address, so only items from before the import
        // count as known.
        let last =
            try connection.rows("SELECT MAX(id) AS last FROM items") {
                row throws(SQLiteError) in try row.optionalInt("last")
            }.first.flatMap(\.self) ?? 0
        let first = try Registry.lastPosition(connection) + 1
        var found: [ItemOfLine] = []
        for (item, rank) in zip(items, ranks(items)) {
            result.report.items += 1
            if item.line.omitted != nil { result.report.withoutOptions += 1 }
            if item.line.allowPrivate == true, !item.allowsPrivate {
                result.report.withoutPermission += 1
            }
            if let known = try known(connection, item, through: last) {
                result.report.known += 1
                try update(connection, known, by: item, into: &result)
                found.append((known, false))
                continue
            }
            let (id, state) = try insert(connection, item, at: first + rank)
            found.append((id, true))
            switch state {
            case .ready, .unverified: result.report.ready += 1
            case .missing: result.report.missing += 1
            case .queued, .fetchingPlaylist, .fetching, .muxing, .verifying, .paused, .failed:
                result.report.unfinished += 1
            }
        }
        result.inserted = try connection.rows(
            "SELECT * FROM items WHERE id > ? ORDER BY id",
            .integer(last)
        ) { row throws(SQLiteError) in try MediaItem(row) }
        if result.report.known < result.report.items {
            try Registry.needPictures(connection, after: last)
        }
        return found
    }

    /// Gives an item of the library the permission and the mark of an imported item.
    private static func update(
        _ connection: SQLiteConnection,
        _ id: ItemID,
        by item: ImportedItem,
        into result: inout ImportResult
    ) throws(SQLiteError) {
        var changes: [ItemChange] = item.allowsPrivate ? [.allowsPrivateAddresses(true)] : []
        if item.line.marks.kept == true {
            changes.append(.kept)
            result.isAnyKept = true
        }
        let changed = try Registry.replace(connection, id, move: nil, with: changes)
        if let changed, changed.old != changed.new { result.changed.append(changed) }
    }

    /// Returns the place of each item in the order of the queue that the imported text states.
    private static func ranks(_ items: [ImportedItem]) -> [Int64] {
        let order = items.indices.sorted { left, right in
            (items[left].line.position ?? .max, left) < (items[right].line.position ?? .max, right)
        }
        var ranks = [Int64](repeating: 0, count: items.count)
        for (rank, index) in order.enumerated() { ranks[index] = Int64(rank) }
        return ranks
    }

    private static func known(
        _ connection: SQLiteConnection,
        _ item: ImportedItem,
        through last: Int
    ) throws(SQLiteError) -> ItemID? {
        try connection.rows(
            """
            SELECT id FROM items WHERE id <= ? AND source = ? AND \(ItemReader.isSame)
            UNION ALL
            SELECT id FROM items WHERE file_name = ? COLLATE NOCASE AND size = ? LIMIT 1
            """,
            values: [.integer(last), .text(item.origin.text)] + item.choice.columns + [
                item.choice.part, .optional(item.fileName), .optional(item.line.size),
            ]
        ) { row throws(SQLiteError) -> ItemID in try row.id("id") }
        .first
    }

    /// Inserts an item.
    ///
    /// If another item has the same name, the new item gets no name and counts as missing.
    private static func insert(
        _ connection: SQLiteConnection,
        _ item: ImportedItem,
        at position: Int64
    ) throws(SQLiteError) -> (ItemID, ItemState) {
        var isTaken = false
        if let wanted = item.fileName {
            isTaken = try !connection.rows(
                "SELECT id FROM items WHERE file_name = ? COLLATE NOCASE LIMIT 1",
                .text(wanted)
            ) { row throws(SQLiteError) in try row.int("id") }.isEmpty
        }
        let row = item.row(at: position, isNameTaken: isTaken)
        let id = try Registry.insert(connection, row)
        try FileRecords.insert(connection, item.chapters, of: id)
        for (suffix, checksum) in item.line.subtitleChecksums ?? [:] where row.item.fileName != nil
        {
            try FileRecords.setSubtitleChecksum(connection, checksum, suffix: suffix, of: id)
        }
        return (id, row.item.state)
    }
}
