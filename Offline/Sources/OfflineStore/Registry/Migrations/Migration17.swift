// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the part of a film that an item keeps, which is empty for a whole film.
    static let version17 = Migration([
        "ALTER TABLE items ADD COLUMN kept_chapters TEXT NOT NULL DEFAULT ''"
    ])
}
