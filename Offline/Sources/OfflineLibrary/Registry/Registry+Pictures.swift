// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

/// The items of imports whose pictures are still to be made, also after a kill.
///
/// The preference is the number of the last item that needs none: pictures are made in the order
/// of the numbers.
extension Registry {
    private static let picturesName = "pictures_after"

    /// Records that the items after this one may need pictures.
    static func needPictures(
        _ connection: SQLiteConnection,
        after last: Int
    ) throws(SQLiteError) {
        // An earlier import whose pictures are not yet made stays recorded.
        try connection.execute(
            "INSERT OR IGNORE INTO preferences (name, value) VALUES (?, ?)",
            .text(picturesName),
            .text("\(last)")
        )
    }

    /// Records that an item needs no picture any more, and returns the next one that may need one.
    ///
    /// - Parameter done: The item; nil at the begin.
    /// - Returns: The next item; nil if there is none.
    /// - Throws: `SQLiteError`.
    func nextForPicture(after done: ItemID?) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                if let done {
                    try connection.execute(
                        "UPDATE preferences SET value = ? WHERE name = ?",
                        .text("\(done)"),
                        .text(Self.picturesName)
                    )
                }
                let next = try connection.rows(
                    """
                    SELECT items.* FROM items, preferences
                    WHERE preferences.name = ? AND items.id > CAST(preferences.value AS INTEGER)
                        AND items.state = ? AND items.has_picture = 0
                    ORDER BY items.id LIMIT 1
                    """,
                    .text(Self.picturesName),
                    .text(ItemState.ready.rawValue)
                ) { row throws(SQLiteError) in try MediaItem(row) }.first
                if next == nil {
                    try connection.execute(
                        "DELETE FROM preferences WHERE name = ?",
                        .text(Self.picturesName)
                    )
                }
                return next
            }
        }
    }
}
