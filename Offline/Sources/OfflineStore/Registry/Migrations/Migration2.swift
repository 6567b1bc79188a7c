// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Replaces the table `segments` by `parts` and keeps the rows as the parts of track 0.
    ///
    /// An initialization section, which had the number -1, becomes part 0 of the item. The files of
    /// version 1 keep their names, so that no finished segment is fetched again.
    ///
    /// Rows that version 1 never wrote (without an item, or without a proper number) are dropped,
    /// and the next run fetches those segments.
    static let version2 = Migration([
        """
        CREATE TABLE parts (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            track INTEGER NOT NULL,
            number INTEGER NOT NULL,
            address TEXT NOT NULL,
            range_offset INTEGER,
            range_length INTEGER,
            identity TEXT NOT NULL,
            key_address TEXT,
            iv BLOB,
            initialization INTEGER NOT NULL,
            discontinuity INTEGER NOT NULL,
            file_name TEXT NOT NULL,
            size INTEGER,
            proven INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (item, track, number)
        ) WITHOUT ROWID
        """,
        """
        INSERT OR IGNORE INTO parts
        SELECT
            item,
            0,
            number + EXISTS (
                SELECT 1 FROM segments AS map WHERE map.item = segments.item AND map.number = -1
            ),
            address,
            range_offset,
            range_length,
            identity,
            key_address,
            iv,
            number = -1,
            discontinuity,
            CASE number WHEN -1 THEN 'map' ELSE CAST(number AS TEXT) END,
            segments.size,
            proven
        FROM segments JOIN items ON items.id = segments.item
        WHERE typeof(number) = 'integer' AND number >= -1
        """,
        "DROP TABLE segments",
    ])
}
