// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Marks the parts that the server lacks, and describes the subtitles of an item.
    static let version4 = Migration([
        "ALTER TABLE parts ADD COLUMN gap INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tracks ADD COLUMN is_default INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tracks ADD COLUMN is_forced INTEGER NOT NULL DEFAULT 0",
    ])
}
