// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

/// The subtitles beside films: the checksums, keyed by the rest of the name after the film's name,
/// and the stamps of the files that the program has written, which reveal files that the user has
/// changed.
extension FileRecords {
    /// Returns the recorded checksums of the subtitles beside an item's film.
    package func subtitleChecksums(of id: ItemID) throws(SQLiteError) -> [String: SubtitleChecksum]
    {
        try registry.withConnection { connection throws(SQLiteError) in
            let last = ItemID(rawValue: id.rawValue - 1)
            return try Self.subtitleChecksums(connection, after: last, through: id)[id] ?? [:]
        }
    }

    /// Records or removes the checksum of subtitles beside an item's film.
    package func setSubtitleChecksum(
        _ checksum: SubtitleChecksum?,
        _ suffix: String,
        of id: ItemID
    ) throws(SQLiteError) {
        try registry.withConnection { connection throws(SQLiteError) in
            if let checksum {
                try Self.setSubtitleChecksum(connection, checksum, suffix: suffix, of: id)
            } else {
                try connection.execute(
                    "DELETE FROM subtitle_checksums WHERE item = ? AND suffix = ?",
                    .id(id),
                    .text(suffix)
                )
            }
        }
    }

    /// Records a checksum, except for an item that was removed in the meantime.
    package static func setSubtitleChecksum(
        _ connection: SQLiteConnection,
        _ checksum: SubtitleChecksum,
        suffix: String,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.execute(
            """
            INSERT OR REPLACE INTO subtitle_checksums (item, suffix, size, sha256)
            SELECT id, ?, ?, ? FROM items WHERE id = ?
            """,
            values: [
                .text(suffix), .integer(Int(checksum.size)), .text(checksum.sha256), .id(id),
            ]
        )
    }

    /// Returns the checksums of all items in a range of numbers.
    package static func subtitleChecksums(
        _ connection: SQLiteConnection,
        after first: ItemID,
        through last: ItemID
    ) throws(SQLiteError) -> [ItemID: [String: SubtitleChecksum]] {
        var checksums: [ItemID: [String: SubtitleChecksum]] = [:]
        let rows = try connection.rows(
            "SELECT * FROM subtitle_checksums WHERE item > ? AND item <= ?",
            .id(first),
            .id(last)
        ) { row throws(SQLiteError) in
            (
                try row.id("item") as ItemID, try row.text("suffix"),
                SubtitleChecksum(size: Int64(try row.int("size")), sha256: try row.text("sha256"))
            )
        }
        for (item, suffix, checksum) in rows { checksums[item, default: [:]][suffix] = checksum }
        return checksums
    }

    /// Returns the stamps of the subtitles that the program has written beside an item's film, by
    /// name.
    package func subtitleFiles(of id: ItemID) throws(SQLiteError) -> [String: FileStamp] {
        let files = try registry.rows(
            "SELECT name, size, modified FROM subtitle_files WHERE item = ?",
            .id(id)
        ) { row throws(SQLiteError) in
            (
                try row.text("name"),
                FileStamp(
                    size: Int64(try row.int("size")),
                    modified: Int64(try row.int("modified"))
                )
            )
        }
        return Dictionary(files) { $1 }
    }

    /// Records a subtitle file that the program has written beside an item's film.
    package func addSubtitleFile(
        _ name: String,
        _ stamp: FileStamp,
        of id: ItemID
    ) throws(SQLiteError) {
        try registry.execute(
            """
            INSERT OR REPLACE INTO subtitle_files (item, name, size, modified)
            VALUES (?, ?, ?, ?)
            """,
            values: [
                .id(id), .text(name), .integer(Int(stamp.size)), .integer(Int(stamp.modified)),
            ]
        )
    }
}
