// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Returns the address of the picture that a feed names for an item; nil if it names none.
    func pictureAddress(of id: ItemID) throws(SQLiteError) -> WebAddress? {
        let text = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT picture FROM items WHERE id = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in try row.optionalText("picture") }.first ?? nil
        }
        return text.flatMap { try? WebAddress($0) }
    }
}
