// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds to the parts the durations that playlists state and the versions of their files, and
    /// describes the tracks of an item.
    ///
    /// Unfinished items of version 2 have no durations until their playlist is fetched again.
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
