// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import OfflineSources
package import TidingsHTTP
package import TidingsSQLite

/// The one item that keeps the file of an address, which is the same in every quality and language.
extension Registry {
    /// Records that an item's address has a file, unless another item keeps that file.
    ///
    /// Before the server answers, requests with other choices have created separate items. The
    /// method uses one transaction, so that only one of two simultaneous downloads receives the
    /// file.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - address: The address of the file, which a page may have named instead of the item.
    /// - Returns: The other item, or nil if this item keeps the file or stays beside the other
    ///   item, and the item before and after the change, or nil without a change.
    /// - Throws: `SQLiteError`, in which case nothing is changed.
    package func claimFile(
        of id: ItemID,
        at address: WebAddress
    ) throws(SQLiteError) -> (
        other: ItemID?, changed: (old: MediaItem, new: MediaItem)?
    ) {
        try transaction { connection throws(SQLiteError) in
            if let other = try Self.otherOwner(connection, than: id, of: address) {
                return (other, nil)
            }
            guard try ItemReader.item(connection, id)?.origin == .address(address) else {
                return (nil, nil)
            }
            return (nil, try Self.replace(connection, id, move: nil, with: [.set(\.kind, .file)]))
        }
    }

    /// Returns the other item that keeps the file of an item's address, or nil without one.
    ///
    /// The result leaves out an item that keeps another part of the file. The result is nil for an
    /// item that was a file before, and for an item that was requested with `--again`. A later item
    /// with `--again` does not take the file from earlier items.
    private static func otherOwner(
        _ connection: SQLiteConnection,
        than id: ItemID,
        of address: WebAddress
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
            .id(id),
            .text(address.text)
        ) { row throws(SQLiteError) -> ItemID in try row.id("id") }
        .first
    }
}
