// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

extension DownloadRecords {
    /// Returns the record of an item's unfinished file, or the default record without one.
    package func transfer(of id: ItemID) throws(SQLiteError) -> TransferRecord {
        try registry.rows(
            "SELECT validator, total_bytes, synced_bytes, boot_id FROM items WHERE id = ?",
            .id(id)
        ) { row throws(SQLiteError) in
            TransferRecord(
                validator: try row.optionalText("validator"),
                totalBytes: try row.optionalInt("total_bytes").map(Int64.init),
                syncedBytes: Int64(try row.int("synced_bytes")),
                bootID: try row.optionalText("boot_id")
            )
        }.first ?? TransferRecord()
    }

    /// Records a version of the file before its first byte is written.
    package func setTransfer(_ record: TransferRecord, of id: ItemID) throws(SQLiteError) {
        try registry.execute(
            """
            UPDATE items SET validator = ?, total_bytes = ?, synced_bytes = ?, boot_id = ?
            WHERE id = ?
            """,
            values: [
                .optional(record.validator), .optional(record.totalBytes),
                .integer(Int(record.syncedBytes)), .optional(record.bootID), .id(id),
            ]
        )
    }

    /// Records the synced length of the file.
    ///
    /// Call this method after the sync.
    package func setSyncedBytes(_ count: Int64, of id: ItemID) throws(SQLiteError) {
        try registry.execute(
            "UPDATE items SET synced_bytes = ? WHERE id = ?",
            .integer(Int(count)),
            .id(id)
        )
    }
}

/// The registry's record of an unfinished file, from which a later run resumes the download.
package struct TransferRecord: Hashable, Sendable {
    /// The strong validator of the version whose bytes are on disk, or nil if the server sent none.
    package var validator: String?
    /// The size of that version, or nil if the server did not announce the size.
    package var totalBytes: Int64?
    /// The number of bytes that are known to be synced.
    package var syncedBytes: Int64
    /// The identifier of the boot that wrote the bytes, or nil if only the synced bytes are valid.
    package var bootID: String?

    /// Creates a record that by default describes an empty file.
    package init(
        validator: String? = nil,
        totalBytes: Int64? = nil,
        syncedBytes: Int64 = 0,
        bootID: String? = nil
    ) {
        self.validator = validator
        self.totalBytes = totalBytes
        self.syncedBytes = syncedBytes
        self.bootID = bootID
    }
}
