// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Inserts items for files of the media folder in one transaction.
    ///
    /// A file that an item has got in the meantime is left out. Media are checked later, and then
    /// get their pictures; other files are ready.
    func insert(_ files: [ImportedFile], at date: Date) throws(SQLiteError) -> [MediaItem] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                var items: [MediaItem] = []
                for file in files where try !Self.hasItem(connection, file.name) {
                    items.append(try Self.insert(connection, file, at: date))
                }
                return items
            }
        }
    }

    private static func hasItem(
        _ connection: SQLiteConnection,
        _ name: String
    ) throws(SQLiteError) -> Bool {
        let found = try connection.rows(
            """
            SELECT id FROM items WHERE file_name = ?1 COLLATE NOCASE AND file_name = ?1 LIMIT 1
            """,
            .text(name)
        ) { row throws(SQLiteError) in try row.int("id") }
        return !found.isEmpty
    }

    private static func insert(
        _ connection: SQLiteConnection,
        _ file: ImportedFile,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        let origin = ItemOrigin.imported(file.sent?.name ?? file.name)
        let title = Title(origin: origin).text
        let state: ItemState = file.isMedia ? .unverified : .ready
        let item = try insert(connection, DownloadRequest(origin), state, title, date)
        let id = item.id
        var changes: [ItemChange] = [
            .kind(.file),
            .file(name: file.name, size: file.size),
            .mediaType(file.kind.mediaType),
        ]
        if !file.isMedia { changes.append(.readyAt(date)) }
        if let sent = file.sent {
            let name = RenamedFiles.name(title, of: id, replacing: file.name)
            changes.append(
                .rename(name, from: file.name, file: sent.number, in: sent.directory)
            )
        }
        let changed = try replace(connection, id, nil, changes)?.new
        if !file.text.isEmpty {
            try connection.execute(
                "INSERT INTO texts (item, content) VALUES (?, ?)",
                .integer(Int(id.rawValue)),
                .text(file.text)
            )
        }
        for (suffix, checksum) in file.subtitles {
            try setSubtitleChecksum(connection, checksum, suffix, of: id)
        }
        if file.isMedia { try needPictures(connection, after: Int(id.rawValue) - 1) }
        return changed ?? item
    }
}
