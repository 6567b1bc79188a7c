// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the checksums of subtitles beside films, which a verification compares with the files.
    ///
    /// The checksums have a separate table. `subtitle_files` lists only files that the program has
    /// written, so that a feed never removes files of the user. A stored name does not include the
    /// name of the film, so that a renamed film keeps the checksums.
    static let version18 = Migration([
        """
        CREATE TABLE subtitle_checksums (
            item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
            suffix TEXT NOT NULL,
            size INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            PRIMARY KEY (item, suffix)
        ) WITHOUT ROWID
        """
    ])
}
