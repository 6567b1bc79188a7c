// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

extension Migration {
    /// Adds the index of the words in titles, addresses and file names, and checksums of files.
    ///
    /// The index does not store any text. Triggers change the index together with each row in one
    /// transaction, so that every way of writing an item keeps the index current. A `prefix` index
    /// of beginnings takes three times the space for no measurable gain. A `trigram` index of every
    /// three characters takes five times the space, keeps accents apart and does not find shorter
    /// words.
    static let version9 = Migration { connection throws(SQLiteError) in
        try requireSearch(connection)
        for statement in searchStatements { try connection.execute(statement) }
    }

    private static let searchStatements = [
        """
        CREATE VIRTUAL TABLE search USING fts5 (
            title, source, file_name,
            content = 'items', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
        )
        """,
        """
        CREATE TRIGGER search_insertion AFTER INSERT ON items BEGIN
            INSERT INTO search (rowid, title, source, file_name)
            VALUES (new.id, new.title, new.source, new.file_name);
        END
        """,
        """
        CREATE TRIGGER search_removal AFTER DELETE ON items BEGIN
            INSERT INTO search (search, rowid, title, source, file_name)
            VALUES ('delete', old.id, old.title, old.source, old.file_name);
        END
        """,
        """
        CREATE TRIGGER search_change AFTER UPDATE OF title, source, file_name ON items BEGIN
            INSERT INTO search (search, rowid, title, source, file_name)
            VALUES ('delete', old.id, old.title, old.source, old.file_name);
            INSERT INTO search (rowid, title, source, file_name)
            VALUES (new.id, new.title, new.source, new.file_name);
        END
        """,
        "INSERT INTO search (search) VALUES ('rebuild')",
        "ALTER TABLE items ADD COLUMN sha256 TEXT",
    ]

    /// Throws if this system's SQLite lacks full-text search, which would otherwise look like
    /// damage.
    private static func requireSearch(_ connection: SQLiteConnection) throws(SQLiteError) {
        let found = try connection.rows(
            "SELECT name FROM pragma_module_list WHERE name = 'fts5'"
        ) { row throws(SQLiteError) in try row.text("name") }
        guard found.isEmpty else { return }
        throw SQLiteError(
            .other,
            "This system's SQLite has no full-text search. Install a libsqlite3 with FTS5, as most "
                + "distributions have it."
        )
    }
}
