// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// The one item that keeps the file of an address, which is the same in each quality and language.
extension Registry {
    /// Records that an item's address has a file, unless another item keeps that file.
    ///
    /// Before the answer of the server, requests with other choices have got items of their own. In
    /// one transaction, so that of two downloads at once only one gets the file.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - address: The address of the file, which a page may have named instead of the item.
    /// - Returns: The other item; nil for an item that keeps the file, or that stays beside it.
    /// - Throws: `SQLiteError`; nothing is changed then.
    func claimFile(of id: ItemID, at address: WebAddress) throws(SQLiteError) -> ItemID? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let other = try Self.otherOwner(connection, id, address)
                if other == nil {
                    try connection.execute(
                        "UPDATE items SET kind = 'file' WHERE id = ? AND source = ?",
                        .integer(Int(id.rawValue)),
                        .text(address.text)
                    )
                }
                return other
            }
        }
    }

    /// An item of a part of the file is another one, and so are one that was a file before and one
    /// that was requested with `--again`, which takes no file from those before it.
    private static func otherOwner(
        _ connection: SQLiteConnection,
        _ id: ItemID,
        _ address: WebAddress
    ) throws(SQLiteError) -> ItemID? {
        try connection.rows(
            """
            SELECT other.id FROM items AS own JOIN items AS other
            ON other.source = own.source AND other.kept_chapters = own.kept_chapters
            WHERE own.id = ? AND own.source = ? AND own.kind IS NOT 'file' AND NOT own.is_separate
            AND other.id != own.id AND other.kind = 'file'
            AND (other.id < own.id OR NOT other.is_separate)
            ORDER BY other.id DESC LIMIT 1
            """,
            .integer(Int(id.rawValue)),
            .text(address.text)
        ) { row throws(SQLiteError) in ItemID(rawValue: Int64(try row.int("id"))) }
        .first
    }
}
