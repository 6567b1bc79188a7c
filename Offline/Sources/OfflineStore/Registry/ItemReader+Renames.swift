// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsSQLite

extension ItemReader {
    /// Returns the files with a recorded new name and without a recorded end of the move.
    package func renamedFiles() throws(SQLiteError) -> [RenamedFile] {
        let found = try registry.rows(
            """
            SELECT id, title, former_name, file_name, former_file
            FROM items INDEXED BY items_in_move
            WHERE former_name IS NOT NULL ORDER BY id
            """
        ) { row throws(SQLiteError) in
            RenamedFile(
                id: try row.id("id"),
                title: try row.text("title"),
                formerName: try row.text("former_name"),
                name: try row.optionalText("file_name") ?? "",
                file: try row.optionalInt("former_file")
            )
        }
        // The name in a manipulated registry must never become a path outside the media folder.
        return found.filter { file in
            let isFormer = [LibraryDirectory.isMediaName, PartialUploads.isName].contains {
                $0(file.formerName)
            }
            return isFormer && LibraryDirectory.isMediaName(file.name)
        }
    }

    /// Returns the files of earlier versions that do not have the names of their items yet.
    func numberedFiles() throws(SQLiteError) -> [NumberedFile] {
        try registry.rows(
            """
            SELECT id, title, file_name, numbered_name, size FROM items
            WHERE numbered_name IS NOT NULL ORDER BY id
            """
        ) { row throws(SQLiteError) in
            NumberedFile(
                id: try row.id("id"),
                title: try row.text("title"),
                name: try row.text("numbered_name"),
                newName: try row.optionalText("file_name") ?? "",
                size: try row.optionalInt("size").map(Int64.init)
            )
        }
    }
}

/// A finished file whose move to the new name may not have ended.
package struct RenamedFile: Hashable {
    /// The item of the file.
    package let id: ItemID
    /// The new title of the item.
    let title: String
    /// The name before.
    package let formerName: String
    /// The new name.
    let name: String
    /// The number by which the file system identifies the file, or nil if the file was missing.
    let file: Int?
}

/// A finished file of an earlier version, named after the number of the item.
struct NumberedFile {
    let id: ItemID
    let title: String
    /// The name in the folder of numbered media.
    let name: String
    /// The name in the media folder if the file was being moved, or else the same as `name`.
    let newName: String
    let size: Int64?
}
