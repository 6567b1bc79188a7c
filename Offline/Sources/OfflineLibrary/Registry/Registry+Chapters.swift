// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Returns the chapters of an item in order.
    func chapters(of id: ItemID) throws(SQLiteError) -> [Chapter] {
        let found = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT start, title FROM chapters WHERE item = ? ORDER BY number",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in
                (start: try row.double("start"), title: try row.text("title"))
            }
        }
        return Chapter.list(found)
    }

    /// Replaces the chapters of an item; an item that no longer exists gets none.
    func setChapters(_ chapters: [Chapter], of id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(
                    "DELETE FROM chapters WHERE item = ?",
                    .integer(Int(id.rawValue))
                )
                for (number, chapter) in chapters.enumerated() {
                    try connection.execute(
                        """
                        INSERT INTO chapters (item, number, start, title)
                        SELECT id, ?, ?, ? FROM items WHERE id = ?
                        """,
                        .integer(number),
                        .real(chapter.start),
                        .text(chapter.title),
                        .integer(Int(id.rawValue))
                    )
                }
            }
        }
    }
}
