// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsSQLite

/// The devices that may use the library over the local network.
///
/// A device authenticates with a key. The registry stores only the checksum of the key, so neither
/// a copy of the registry nor an export grants access.
package struct DeviceTable: Sendable {
    let registry: Registry

    /// Adds a device with the checksum of the device's key, which must be random.
    package func addDevice(
        named name: String,
        keyChecksum: String,
        at date: Date
    ) throws(SQLiteError) -> Device {
        let id = try registry.withConnection { connection throws(SQLiteError) in
            let time = SQLiteValue.real(date.timeIntervalSince1970)
            return try connection.rows(
                """
                INSERT INTO devices (name, key_sha256, added_at, seen_at) VALUES (?, ?, ?, ?)
                RETURNING id
                """,
                values: [
                    .text(name), .text(keyChecksum), time, time,
                ]
            ) { row throws(SQLiteError) in try row.int("id") }.first
        }
        return Device(id: id ?? 0, name: name, added: date, seen: date)
    }

    /// Returns the devices by the checksums of their keys.
    package func devices() throws(SQLiteError) -> [String: Device] {
        let rows = try registry.rows("SELECT * FROM devices") { row throws(SQLiteError) in
            (try row.text("key_sha256"), try Self.device(row))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Removes a device, or does nothing if no device has the number.
    package func removeDevice(_ id: Int) throws(SQLiteError) {
        try registry.execute("DELETE FROM devices WHERE id = ?", .integer(id))
    }

    /// Stores the time of a device's last request.
    package func noteDevice(_ id: Int, seenAt date: Date) throws(SQLiteError) {
        try registry.execute(
            "UPDATE devices SET seen_at = ? WHERE id = ?",
            .real(date.timeIntervalSince1970),
            .integer(id)
        )
    }

    private static func device(_ row: SQLiteRow) throws(SQLiteError) -> Device {
        Device(
            id: try row.int("id"),
            name: try row.text("name"),
            added: Date(timeIntervalSince1970: try row.double("added_at")),
            seen: Date(timeIntervalSince1970: try row.double("seen_at"))
        )
    }
}
