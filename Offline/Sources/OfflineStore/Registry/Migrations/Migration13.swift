// SPDX-License-Identifier: Apache-2.0
import OfflineSources
import TidingsSQLite

extension Migration {
    /// Marks the items that the user keeps, and gives the entries of feeds any number of names.
    ///
    /// The step also adds the times at which the program has written files, and the addresses of
    /// pictures. Before this step, the mark belonged to a feed and was lost together with the feed.
    /// If the titles of an item and an entry differ, the user has renamed the item, which counted
    /// as kept. The names in `feed_names` have the form of `FeedName`.
    static let version13 = Migration { connection throws(SQLiteError) in
        for statement in [
            "ALTER TABLE items ADD COLUMN kept INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE items ADD COLUMN modified INTEGER",
            "ALTER TABLE items ADD COLUMN picture TEXT",
            subtitleFiles,
            """
            UPDATE items SET kept = 1 WHERE id IN (
                SELECT item FROM feed_entries JOIN items AS held ON held.id = item
                WHERE feed_entries.kept OR held.title != feed_entries.title
            )
            """,
            entries,
            """
            INSERT INTO entries (number, feed, published, item, fetched)
            SELECT number, feed, published, item, fetched FROM feed_entries
            """,
            names,
        ] { try connection.execute(statement) }
        try copyNames(connection)
        for statement in [
            "DROP TABLE feed_entries",
            "ALTER TABLE entries RENAME TO feed_entries",
            "CREATE INDEX feed_entries_by_item ON feed_entries (item)",
            "CREATE INDEX feed_entries_by_feed ON feed_entries (feed)",
            "CREATE INDEX feed_names_by_entry ON feed_names (entry)",
        ] { try connection.execute(statement) }
    }

    private static let subtitleFiles = """
        CREATE TABLE subtitle_files (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            PRIMARY KEY (item, name)
        ) WITHOUT ROWID
        """

    private static let entries = """
        CREATE TABLE entries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            feed INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
            published REAL NOT NULL,
            item INTEGER,
            fetched INTEGER NOT NULL DEFAULT 0
        )
        """

    private static let names = """
        CREATE TABLE feed_names (
            number INTEGER PRIMARY KEY,
            feed INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE,
            UNIQUE (feed, name)
        )
        """

    private static func copyNames(_ connection: SQLiteConnection) throws(SQLiteError) {
        for column in ["identity", "address"] {
            let isLong = "length(CAST(\(column) AS BLOB)) > \(FeedName.longest)"
            try connection.execute(
                """
                INSERT OR IGNORE INTO feed_names (feed, name, entry)
                SELECT feed, \(column), number FROM feed_entries WHERE NOT \(isLong)
                ORDER BY number
                """
            )
            let long = try connection.rows(
                "SELECT number, feed, \(column) AS name FROM feed_entries WHERE \(isLong)"
            ) { row throws(SQLiteError) in
                (try row.int("number"), try row.int("feed"), FeedName.short(try row.text("name")))
            }
            for (number, feed, name) in long {
                try connection.execute(
                    "INSERT OR IGNORE INTO feed_names (feed, name, entry) VALUES (?, ?, ?)",
                    .integer(feed),
                    .text(name),
                    .integer(number)
                )
            }
        }
    }
}
