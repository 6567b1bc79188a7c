// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the text of items, for example from subtitles, and the index of the words.
    ///
    /// The text has a separate table, so that a list of items does not read any text. Triggers
    /// change the index in the transaction that changes a text, which includes the removal of an
    /// item.
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
