// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
package import TidingsSQLite

/// The registry's record of an unfinished file, with which a later run resumes it.
package struct TransferRecord: Hashable, Sendable {
    /// The strong validator of the version whose bytes are on disk; nil if the server sent none.
    package var validator: String?
    /// The size of that version; nil if the server did not announce it.
    package var totalBytes: Int64?
    /// The number of bytes that are known to be synced.
    package var syncedBytes: Int64
    /// The identifier of the boot that wrote the bytes; nil if only the synced bytes are valid.
    package var bootID: String?

    /// Creates a record; the default describes an empty file.
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

extension Registry {
    /// Returns the record of an item's unfinished file, the default one if there is none.
    package func transfer(of id: ItemID) throws(SQLiteError) -> TransferRecord {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT validator, total_bytes, synced_bytes, boot_id FROM items WHERE id = ?",
                .integer(Int(id.rawValue))
            ) { row throws(SQLiteError) in
                TransferRecord(
                    validator: try row.optionalText("validator"),
                    totalBytes: try row.optionalInt("total_bytes").map(Int64.init),
                    syncedBytes: Int64(try row.int("synced_bytes")),
                    bootID: try row.optionalText("boot_id")
                )
            }.first ?? TransferRecord()
        }
    }

    /// Records a version of the file before its first byte is written.
    package func setTransfer(_ record: TransferRecord, of id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                """
                UPDATE items SET validator = ?, total_bytes = ?, synced_bytes = ?, boot_id = ?
                WHERE id = ?
                """,
                .optional(record.validator),
                .optional(record.totalBytes),
                .integer(Int(record.syncedBytes)),
                .optional(record.bootID),
                .integer(Int(id.rawValue))
            )
        }
    }

    /// Records the synced length of the file; call it after the sync.
    package func setSyncedBytes(_ count: Int64, of id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                "UPDATE items SET synced_bytes = ? WHERE id = ?",
                .integer(Int(count)),
                .integer(Int(id.rawValue))
            )
        }
    }
}
