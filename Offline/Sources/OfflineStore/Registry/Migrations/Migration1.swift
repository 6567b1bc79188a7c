// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Creates the tables of a new registry.
    ///
    /// The registry never reuses an item's identifier, because that would mix the files of two
    /// items.
    static let version1 = Migration([
        """
        CREATE TABLE items (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,
            rendition TEXT NOT NULL,
            allows_private INTEGER NOT NULL,
            title TEXT NOT NULL,
            kind TEXT,
            state TEXT NOT NULL,
            file_name TEXT,
            size INTEGER,
            media_type TEXT,
            duration REAL,
            width INTEGER,
            height INTEGER,
            has_picture INTEGER NOT NULL DEFAULT 0,
            note TEXT,
            error_code TEXT,
            error_message TEXT,
            created_at REAL NOT NULL,
            ready_at REAL,
            validator TEXT,
            total_bytes INTEGER,
            synced_bytes INTEGER NOT NULL DEFAULT 0,
            boot_id TEXT
        )
        """,
        "CREATE INDEX items_by_source ON items (source, rendition)",
        """
        CREATE TABLE segments (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            address TEXT NOT NULL,
            range_offset INTEGER,
            range_length INTEGER,
            identity TEXT NOT NULL,
            key_address TEXT,
            iv BLOB,
            discontinuity INTEGER NOT NULL,
            size INTEGER,
            proven INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (item, number)
        ) WITHOUT ROWID
        """,
        "CREATE TABLE preferences (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ])
}
