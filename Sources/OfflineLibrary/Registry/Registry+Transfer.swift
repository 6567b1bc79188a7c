// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsSQLite

/// What the registry knows of an unfinished file, to go on with it.
package struct TransferRecord: Hashable, Sendable {
    /// The server's strong validator of the version whose bytes are on disk.
    package var validator: String?
    package var totalBytes: Int64?
    /// The bytes that were synced to the disk before they were recorded.
    package var syncedBytes: Int64
    /// The boot during which the bytes were written.
    package var bootID: String?

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
    /// What is recorded of an item's unfinished file.
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

    /// Records how far the file is synced; call it after the sync.
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
