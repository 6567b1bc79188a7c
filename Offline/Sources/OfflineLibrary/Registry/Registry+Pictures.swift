// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

/// The items whose pictures are still to be made, also after a kill.
///
/// An item is marked until its picture exists or could not be made.
extension Registry {
    /// Marks the items of media after this one.
    static func needPictures(
        _ connection: SQLiteConnection,
        after last: Int
    ) throws(SQLiteError) {
        try connection.execute(
            """
            UPDATE items SET picture_due = 1 WHERE id > ?
                AND (media_type IS NULL OR substr(media_type, 1, 6) IN ('video/', 'audio/'))
            """,
            .integer(last)
        )
    }

    /// Returns the newest item that needs a picture and has its file, of those before an item.
    func nextForPicture(before last: ItemID?) throws(SQLiteError) -> MediaItem? {
        try newest(where: Self.needsPicture, before: last)
    }

    /// Returns the newest item that still needs its check, of those before an item.
    func nextForCheck(before last: ItemID?) throws(SQLiteError) -> MediaItem? {
        try newest(where: Self.needsCheck, before: last)
    }

    private func newest(
        where condition: String,
        before last: ItemID?
    ) throws(SQLiteError) -> MediaItem? {
        let last = last.map { Int($0.rawValue) } ?? .max
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.items(connection, where: condition, .integer(last)).first
        }
    }

    /// Returns the number of items that still need their checks.
    func numberToCheck() throws(SQLiteError) -> Int {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows("SELECT count(*) AS number FROM items WHERE state = 'unverified'") {
                row throws(SQLiteError) in try row.int("number")
            }.first ?? 0
        }
    }

    /// The condition of `nextForCheck`, whose items the index of the states has in order.
    static let needsCheck = "state = 'unverified' AND id < ? ORDER BY id DESC LIMIT 1"

    /// The condition of `nextForPicture`, for which an index has these items alone.
    static let needsPicture = """
        picture_due = 1 AND id < ? AND state = 'ready' ORDER BY id DESC LIMIT 1
        """
}
