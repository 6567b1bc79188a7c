// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the devices that may use the library over the local network.
    ///
    /// The table uses `AUTOINCREMENT`, because a number that a page still shows must not identify
    /// another device.
    static let version21 = Migration([
        """
        CREATE TABLE devices (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            key_sha256 TEXT NOT NULL UNIQUE,
            added_at REAL NOT NULL,
            seen_at REAL NOT NULL
        )
        """
    ])
}
