// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the followed feeds and the entries that they have had.
    ///
    /// An entry keeps the number of the item after the item is removed, so that the feed does not
    /// download the item again. The registry never reuses an item's number. `fetched` is 0 if the
    /// user had the item before the feed.
    static let version8 = Migration([
        """
        CREATE TABLE feeds (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            address TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            keep INTEGER NOT NULL,
            keeps_pages INTEGER NOT NULL,
            allows_private INTEGER NOT NULL,
            options TEXT,
            created_at REAL NOT NULL,
            checked_at REAL,
            next_check REAL,
            failures INTEGER NOT NULL DEFAULT 0,
            error_code TEXT,
            error_message TEXT,
            period REAL,
            tag TEXT,
            modified TEXT,
            entry_count INTEGER NOT NULL DEFAULT 0,
            without_media INTEGER NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE feed_entries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            feed INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
            identity TEXT NOT NULL,
            address TEXT NOT NULL,
            title TEXT NOT NULL,
            published REAL NOT NULL,
            item INTEGER,
            fetched INTEGER NOT NULL DEFAULT 0,
            kept INTEGER NOT NULL DEFAULT 0,
            UNIQUE (feed, identity)
        )
        """,
        "CREATE INDEX feed_entries_by_item ON feed_entries (item)",
    ])
}
