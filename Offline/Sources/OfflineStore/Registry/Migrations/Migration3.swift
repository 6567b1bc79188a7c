// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the durations and file versions of parts, and the descriptions of an item's tracks.
    ///
    /// The durations come from playlists. Unfinished items of version 2 have no durations until the
    /// program fetches the playlist again.
    static let version3 = Migration([
        "ALTER TABLE parts ADD COLUMN duration REAL",
        "ALTER TABLE parts ADD COLUMN validator TEXT",
        """
        CREATE TABLE tracks (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            content TEXT NOT NULL,
            language TEXT,
            PRIMARY KEY (item, number)
        ) WITHOUT ROWID
        """,
    ])
}
