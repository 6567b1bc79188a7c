// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// A finished file that has not got its new name yet, or not for certain.
    struct RenamedFile: Hashable {
        let id: ItemID
        let title: String
        /// The name before.
        let formerName: String
        /// The new name.
        let name: String
        /// The number by which the file system knows the file; nil if it was missing.
        let file: Int?
    }

    /// Returns the files whose new names are recorded, and whose moves are not recorded as ended.
    func renamedFiles() throws(SQLiteError) -> [RenamedFile] {
        let found = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                """
                SELECT id, title, former_name, file_name, former_file
                FROM items INDEXED BY items_in_move
                WHERE former_name IS NOT NULL ORDER BY id
                """
            ) { row throws(SQLiteError) in
                RenamedFile(
                    id: ItemID(rawValue: Int64(try row.int("id"))),
                    title: try row.text("title"),
                    formerName: try row.text("former_name"),
                    name: try row.optionalText("file_name") ?? "",
                    file: try row.optionalInt("former_file")
                )
            }
        }
        // The text of a changed registry must never become a path outside of the media folder.
        return found.filter { file in
            let isFormer = [LibraryDirectory.isMediaName, PartialUploads.isName].contains {
                $0(file.formerName)
            }
            return isFormer && LibraryDirectory.isMediaName(file.name)
        }
    }
}
