// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the sources of titles, and the names and purposes of a stream's tracks.
    ///
    /// The source of an earlier title follows from the address.
    static let version16 = Migration([
        "ALTER TABLE items ADD COLUMN title_source INTEGER",
        "ALTER TABLE tracks ADD COLUMN name TEXT",
        "ALTER TABLE tracks ADD COLUMN purpose TEXT",
    ])
}
