// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Stores the numbered names of finished files, and adds indexes of items by name and by state.
    ///
    /// A numbered name stays until the file has the title of the item.
    static let version5 = Migration([
        "ALTER TABLE items ADD COLUMN numbered_name TEXT",
        "UPDATE items SET numbered_name = file_name",
        "CREATE INDEX items_by_file ON items (file_name COLLATE NOCASE)",
        "CREATE INDEX items_by_state ON items (state)",
    ])
}
