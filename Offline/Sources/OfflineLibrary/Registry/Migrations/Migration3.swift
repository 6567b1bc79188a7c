// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the durations that playlists state to the parts.
    ///
    /// Unfinished items of version 2 have none until their playlist is fetched again.
    static let version3 = Migration(["ALTER TABLE parts ADD COLUMN duration REAL"])
}
