// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds how far each item has been played, whether it was watched, and when it was last played.
    ///
    /// The index contains only the items that the user can continue.
    static let version20 = Migration([
        "ALTER TABLE items ADD COLUMN played_seconds REAL NOT NULL DEFAULT 0",
        "ALTER TABLE items ADD COLUMN is_watched INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE items ADD COLUMN played_at REAL",
        "CREATE INDEX items_in_playback ON items (played_at) WHERE played_seconds > 0",
    ])
}
