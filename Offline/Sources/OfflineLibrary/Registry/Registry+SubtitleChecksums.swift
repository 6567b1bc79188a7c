// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

/// The checksums of subtitles beside films, by the ends of their names after that of the film.
extension Registry {
    /// Returns the recorded checksums of the subtitles beside an item's film.
    func subtitleChecksums(of id: ItemID) throws(SQLiteError) -> [String: SubtitleChecksum] {
        try connection.withLock { connection throws(SQLiteError) in
            let last = ItemID(rawValue: id.rawValue - 1)
            return try Self.subtitleChecksums(connection, after: last, through: id)[id] ?? [:]
        }
    }

    /// Records the checksum of subtitles beside an item's film, or removes it.
    func setSubtitleChecksum(
        _ checksum: SubtitleChecksum?,
        _ suffix: String,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            if let checksum {
                try Self.setSubtitleChecksum(connection, checksum, suffix, of: id)
            } else {
                try connection.execute(
                    "DELETE FROM subtitle_checksums WHERE item = ? AND suffix = ?",
                    .integer(Int(id.rawValue)),
                    .text(suffix)
                )
            }
        }
    }

    /// Records a checksum; not that of an item which was removed in the meantime.
    static func setSubtitleChecksum(
        _ connection: SQLiteConnection,
        _ checksum: SubtitleChecksum,
        _ suffix: String,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.execute(
            """
            INSERT OR REPLACE INTO subtitle_checksums (item, suffix, size, sha256)
            SELECT id, ?, ?, ? FROM items WHERE id = ?
            """,
            .text(suffix),
            .integer(Int(checksum.size)),
            .text(checksum.sha256),
            .integer(Int(id.rawValue))
        )
    }

    /// Returns the checksums of the items of a range of numbers.
    static func subtitleChecksums(
        _ connection: SQLiteConnection,
        after first: ItemID,
        through last: ItemID
    ) throws(SQLiteError) -> [ItemID: [String: SubtitleChecksum]] {
        var checksums: [ItemID: [String: SubtitleChecksum]] = [:]
        let rows = try connection.rows(
            "SELECT * FROM subtitle_checksums WHERE item > ? AND item <= ?",
            .integer(Int(first.rawValue)),
            .integer(Int(last.rawValue))
        ) { row throws(SQLiteError) in
            (
                ItemID(rawValue: Int64(try row.int("item"))), try row.text("suffix"),
                SubtitleChecksum(
                    size: Int64(try row.int("size")),
                    sha256: try row.text("sha256")
                )
            )
        }
        for (item, suffix, checksum) in rows { checksums[item, default: [:]][suffix] = checksum }
        return checksums
    }
}
