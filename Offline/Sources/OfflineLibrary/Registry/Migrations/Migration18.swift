// SPDX-License-Identifier: Apache-2.0

extension Migration {
    /// Adds the checksums of subtitles beside films, which a verification compares with the files.
    ///
    /// They are in a table of their own: `subtitle_files` lists only files that the program has
    /// written, so that no feed removes those of a person. A name is stored without that of the
    /// film, so that a renamed film keeps its checksums.
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
