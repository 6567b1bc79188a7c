// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

extension Migration {
    /// Adds the texts of items, such as those of subtitles, and the index of their words.
    ///
    /// They are in a table of their own: a list of items reads none of them. Triggers change the
    /// index in the transaction that changes a text, also when the removal of an item removes it.
    static let version14 = Migration([
        """
        CREATE TABLE texts (
            item INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
            content TEXT NOT NULL
        )
        """,
        """
        CREATE VIRTUAL TABLE text_search USING fts5 (
            content,
            content = 'texts', content_rowid = 'item', tokenize = 'unicode61 remove_diacritics 2'
        )
        """,
        """
        CREATE TRIGGER text_insertion AFTER INSERT ON texts BEGIN
            INSERT INTO text_search (rowid, content) VALUES (new.item, new.content);
        END
        """,
        """
        CREATE TRIGGER text_removal AFTER DELETE ON texts BEGIN
            INSERT INTO text_search (text_search, rowid, content)
            VALUES ('delete', old.item, old.content);
        END
        """,
    ])
}
