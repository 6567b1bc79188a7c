// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsFiles
import TidingsSQLite

/// The names of the finished files.
extension Registry {
    /// Returns the first name that neither a file nor another item has.
    ///
    /// Names that differ only in the case of letters count as equal, because some disks ignore
    /// case. Names of media also count as equal if only the extensions differ, because subtitles
    /// belong to the film with the same name. The name of a missing file stays reserved.
    static func freeName(
        _ connection: SQLiteConnection,
        _ name: MediaFileName,
        in directory: LibraryDirectory,
        for id: ItemID
    ) throws(SQLiteError) -> String {
        var number = name.firstNumber
        while true {
            let text = name.text(number)
            if !SystemFile.exists(directory.mediaFile(text)),
                try !isTaken(connection, text, stem: name.stem(number), except: id)
            {
                return text
            }
            number += 1
        }
    }

    private static func isTaken(
        _ connection: SQLiteConnection,
        _ name: String,
        stem: String,
        except id: ItemID
    ) throws(SQLiteError) -> Bool {
        // The upper bound ends in the character after the period, so that the index finds all
        // extensions.
        let others = try connection.rows(
            """
            SELECT file_name FROM items WHERE file_name >= ?1 COLLATE NOCASE
            AND file_name < ?2 COLLATE NOCASE AND id <> ?3
            UNION ALL
            SELECT former_name FROM items WHERE former_name IS NOT NULL AND id <> ?3
            """,
            .text("\(stem)."),
            .text("\(stem)/"),
            .id(id)
        ) { row throws(SQLiteError) in try row.text("file_name") }
        let isMedia = ContentKind.isMedia(fileName: name)
        return others.contains { other in
            other.lowercased() == name.lowercased()
                || isMedia && ContentKind.isMedia(fileName: other)
        }
    }

    /// Records free names for the files of items in one transaction, and returns the names.
    func claimNames(
        of items: [(id: ItemID, name: MediaFileName)],
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> [ItemID: String] {
        guard !items.isEmpty else { return [:] }
        return try transaction { connection throws(SQLiteError) in
            var names: [ItemID: String] = [:]
            for (id, name) in items {
                let free = try Self.freeName(connection, name, in: directory, for: id)
                guard LibraryDirectory.isMediaName(free) else { continue }
                try connection.execute(
                    "UPDATE items SET file_name = ? WHERE id = ?",
                    .text(free),
                    .id(id)
                )
                names[id] = free
            }
            return names
        }
    }

    /// Records that the files of items have the new names or do not exist.
    func endMoves(of ids: [ItemID]) throws(SQLiteError) {
        guard !ids.isEmpty else { return }
        try transaction { connection throws(SQLiteError) in
            for id in ids {
                try connection.execute(
                    "UPDATE items SET numbered_name = NULL WHERE id = ?",
                    .id(id)
                )
            }
        }
    }
}
