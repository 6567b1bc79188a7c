// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Stores the wish to record a live stream, and the position of the recording in each track.
    ///
    /// `live` is 0 for an item that is not a recording, 1 for a recording that goes on and 2 for a
    /// recording to which no further part is added.
    static let version6 = Migration([
        "ALTER TABLE items ADD COLUMN live INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE items ADD COLUMN live_seconds REAL",
        """
        CREATE TABLE recordings (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            track INTEGER NOT NULL,
            position TEXT NOT NULL,
            PRIMARY KEY (item, track)
        ) WITHOUT ROWID
        """,
    ])
}
