// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the collections, in which the user puts items in an order.
    ///
    /// The table uses `AUTOINCREMENT`, because a number that a page still shows must not identify
    /// another collection. SQLite removes the rows of a removed item from the collections.
    static let version22 = Migration([
        """
        CREATE TABLE collections (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            folded_name TEXT NOT NULL UNIQUE,
            created_at REAL NOT NULL
        )
        """,
        """
        CREATE TABLE collection_items (
            collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            PRIMARY KEY (collection, item)
        ) WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX collection_order ON collection_items (collection, position)",
        "CREATE INDEX collections_of_items ON collection_items (item)",
    ])
}
