// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the chapters of items: those that a source states, then those of the finished file; and
    /// remembers the former name of a file until it has its new one.
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
    ])
}
