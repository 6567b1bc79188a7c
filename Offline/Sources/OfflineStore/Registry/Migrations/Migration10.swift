// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the chapters of items, first from the source and later from the finished file.
    ///
    /// The registry keeps the former name of a file and the number of the file until the move has
    /// ended.
    static let version10 = Migration([
        """
        CREATE TABLE chapters (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            start REAL NOT NULL,
            title TEXT NOT NULL,
            PRIMARY KEY (item, number)
        ) WITHOUT ROWID
        """,
        "ALTER TABLE items ADD COLUMN former_name TEXT",
        "ALTER TABLE items ADD COLUMN former_file INTEGER",
        "CREATE INDEX items_in_move ON items (former_name) WHERE former_name IS NOT NULL",
    ])
}
