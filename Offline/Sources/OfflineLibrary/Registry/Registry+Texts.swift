// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Replaces the text of an item, in which a search looks; an empty one removes it.
    func setText(_ text: String, of id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(
                    "DELETE FROM texts WHERE item = ?",
                    .integer(Int(id.rawValue))
                )
                if text.isEmpty { return }
                try connection.execute(
                    "INSERT INTO texts (item, content) SELECT id, ? FROM items WHERE id = ?",
                    .text(text),
                    .integer(Int(id.rawValue))
                )
            }
        }
    }
}
