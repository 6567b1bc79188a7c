// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

/// The items that still need a check or a picture, recorded in such a way that a kill loses
/// nothing.
extension ItemReader {
    /// Returns the newest item before `last` that has a file and needs a picture.
    package func nextForPicture(before last: ItemID?) throws(SQLiteError) -> MediaItem? {
        try newest(where: Self.needsPicture, before: last)
    }

    /// Returns the newest item before `last` that still needs a check.
    package func nextForCheck(before last: ItemID?) throws(SQLiteError) -> MediaItem? {
        try newest(where: Self.needsCheck, before: last)
    }

    private func newest(
        where condition: String,
        before last: ItemID?
    ) throws(SQLiteError) -> MediaItem? {
        try items(where: condition, [last.map { .id($0) } ?? .integer(.max)]).first
    }

    /// Returns the number of items that still need a check.
    package func numberToCheck() throws(SQLiteError) -> Int {
        try registry.rows("SELECT count(*) AS number FROM items WHERE state = 'unverified'") {
            row throws(SQLiteError) in try row.int("number")
        }.first ?? 0
    }

    /// The condition of `nextForCheck`, for which the index of the states has the items in order.
    static let needsCheck = "state = 'unverified' AND id < ? ORDER BY id DESC LIMIT 1"

    /// The condition of `nextForPicture`, for which an index contains only the matching items.
    static let needsPicture = """
        picture_due = 1 AND id < ? AND state = 'ready' ORDER BY id DESC LIMIT 1
        """
}
