// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Stores the chosen languages of an item beside the quality.
    static let version12 = Migration([
        "ALTER TABLE items RENAME COLUMN rendition TO quality",
        "ALTER TABLE items ADD COLUMN audio TEXT NOT NULL DEFAULT 'all'",
        "ALTER TABLE items ADD COLUMN subtitles TEXT NOT NULL DEFAULT 'all'",
    ])
}
