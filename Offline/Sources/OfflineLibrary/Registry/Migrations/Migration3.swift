// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds to the parts the durations that playlists state, and the versions of their files.
    ///
    /// Unfinished items of version 2 have no durations until their playlist is fetched again.
    static let version3 = Migration([
        "ALTER TABLE parts ADD COLUMN duration REAL",
        "ALTER TABLE parts ADD COLUMN validator TEXT",
    ])
}
