// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

/// The checksums of finished files, which a verification compares with their bytes.
extension Registry {
    /// Returns the recorded SHA-256 of an item's file in hexadecimal digits; nil if there is none.
    func checksum(of id: ItemID) throws(SQLiteError) -> String? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT sha256 FROM items WHERE id = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in try row.optionalText("sha256") }.first ?? nil
        }
    }

    /// Records the SHA-256 of an item's file, unless there is one or the file has changed.
    func record(checksum: String, of item: MediaItem) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                """
                UPDATE items SET sha256 = ?
                WHERE id = ? AND sha256 IS NULL AND file_name = ? AND size = ?
                """,
                .text(checksum),
                .integer(Int(item.id.rawValue)),
                .optional(item.fileName),
                .optional(item.size)
            )
        }
    }
}
