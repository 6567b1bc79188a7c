// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Marks the items that still need a picture, and counts the items by an index.
    ///
    /// Before this step, a preference had the number of the last item that needed no picture.
    static let version15 = Migration([
        "ALTER TABLE items ADD COLUMN picture_due INTEGER NOT NULL DEFAULT 0",
        """
        UPDATE items SET picture_due = 1 WHERE has_picture = 0 AND id > (
            SELECT CAST(value AS INTEGER) FROM preferences WHERE name = 'pictures_after'
        )
        """,
        "DELETE FROM preferences WHERE name = 'pictures_after'",
        "CREATE INDEX items_by_due_picture ON items (id) WHERE picture_due = 1",
        "CREATE INDEX items_by_type ON items (state, media_type)",
    ])
}
