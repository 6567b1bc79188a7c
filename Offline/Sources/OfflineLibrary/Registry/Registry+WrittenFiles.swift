// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

/// The stamps of the files that the program has written, by which it recognizes files that a person
/// has changed.
extension Registry {
    /// Returns the time of an item's file when the program had written it; nil if it is unknown.
    func modified(of id: ItemID) throws(SQLiteError) -> Int64? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT modified FROM items WHERE id = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in try row.optionalInt("modified") }.first ?? nil
        }.map(Int64.init)
    }

    /// Returns the subtitles that the program has written beside an item's film, by their names.
    func subtitleFiles(of id: ItemID) throws(SQLiteError) -> [String: FileStamp] {
        let files = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT name, size, modified FROM subtitle_files WHERE item = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in
                (
                    try row.text("name"),
                    FileStamp(
                        size: Int64(try row.int("size")),
                        modified: Int64(try row.int("modified"))
                    )
                )
            }
        }
        return Dictionary(files) { $1 }
    }

    /// Records a file of subtitles that the program has written beside an item's film.
    func addSubtitleFile(
        _ name: String,
        _ stamp: FileStamp,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                """
                INSERT OR REPLACE INTO subtitle_files (item, name, size, modified)
                VALUES (?, ?, ?, ?)
                """,
                .integer(Int(id.rawValue)),
                .text(name),
                .integer(Int(stamp.size)),
                .integer(Int(stamp.modified))
            )
        }
    }
}
