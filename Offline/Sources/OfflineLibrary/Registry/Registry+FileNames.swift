// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles
import TidingsLock
import TidingsSQLite

/// The names of the finished files.
extension Registry {
    /// Returns the first name that neither a file nor another item has.
    ///
    /// Names that differ only in the case of letters count as equal, because some disks ignore it;
    /// those of media also if only their extensions differ, because subtitles belong to the film
    /// with their name. The name of a missing file is kept for it.
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
        // The character after the point, so that the index finds all extensions.
        let others = try connection.rows(
            """
            SELECT file_name FROM items WHERE file_name >= ?1 COLLATE NOCASE
            AND file_name < ?2 COLLATE NOCASE AND id <> ?3
            UNION ALL
            SELECT former_name FROM items WHERE former_name IS NOT NULL AND id <> ?3
            """,
            .text("\(stem)."),
            .text("\(stem)/"),
            .integer(Int(id.rawValue))
        ) { row throws(SQLiteError) in try row.text("file_name") }
        let isMedia = ContentKind.isMedia(fileName: name)
        return others.contains { other in
            other.lowercased() == name.lowercased()
                || isMedia && ContentKind.isMedia(fileName: other)
        }
    }

    /// A finished file of an earlier version, under the number of its item.
    struct NumberedFile {
        let id: ItemID
        let title: String
        /// The name in the folder of numbered media.
        let name: String
        /// The name in the media folder if the file was being moved; else as `name`.
        let newName: String
        let size: Int64?
    }

    /// Returns the files of earlier versions that have not got the names of their items.
    func numberedFiles() throws(SQLiteError) -> [NumberedFile] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                """
                SELECT id, title, file_name, numbered_name, size FROM items
                WHERE numbered_name IS NOT NULL ORDER BY id
                """
            ) { row throws(SQLiteError) in
                NumberedFile(
                    id: ItemID(rawValue: Int64(try row.int("id"))),
                    title: try row.text("title"),
                    name: try row.text("numbered_name"),
                    newName: try row.optionalText("file_name") ?? "",
                    size: try row.optionalInt("size").map(Int64.init)
                )
            }
        }
    }

    /// Records free names for the files of items in one transaction, and returns them.
    func claimNames(
        of items: [(id: ItemID, name: MediaFileName)],
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> [ItemID: String] {
        guard !items.isEmpty else { return [:] }
        return try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                var names: [ItemID: String] = [:]
                for (id, name) in items {
                    let free = try Self.freeName(connection, name, in: directory, for: id)
                    guard LibraryDirectory.isMediaName(free) else { continue }
                    try connection.execute(
                        "UPDATE items SET file_name = ? WHERE id = ?",
                        .text(free),
                        .integer(Int(id.rawValue))
                    )
                    names[id] = free
                }
                return names
            }
        }
    }

    /// Records that the files of items have their new names, or do not exist.
    func endMoves(of ids: [ItemID]) throws(SQLiteError) {
        guard !ids.isEmpty else { return }
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for id in ids {
                    try connection.execute(
                        "UPDATE items SET numbered_name = NULL WHERE id = ?",
                        .integer(Int(id.rawValue))
                    )
                }
            }
        }
    }
}
