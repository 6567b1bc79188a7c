// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Remembers the numbered names of the finished files until each has the title of its item, and
    /// finds items by name and by state without reading all of them.
    static let version5 = Migration([
        "ALTER TABLE items ADD COLUMN numbered_name TEXT",
        "UPDATE items SET numbered_name = file_name",
        "CREATE INDEX items_by_file ON items (file_name COLLATE NOCASE)",
        "CREATE INDEX items_by_state ON items (state)",
    ])
}
