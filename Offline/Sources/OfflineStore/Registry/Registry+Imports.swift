// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
import OfflineSources
package import TidingsSQLite

extension Registry {
    /// Inserts items for files of the media folder in one transaction.
    ///
    /// The method leaves out a file that now belongs to another item. Media files are checked later
    /// and then receive pictures. Other files are ready.
    package func insert(_ files: [ImportedFile], at date: Date) throws(SQLiteError) -> [MediaItem] {
        try transaction { connection throws(SQLiteError) in
            var items: [MediaItem] = []
            for file in files where try !Self.hasItem(connection, file.name) {
                items.append(try Self.insert(connection, file, at: date))
            }
            return items
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
        let item = try insert(
            connection,
            DownloadRequest(origin),
            state: state,
            title: title,
            at: date
        )
        let id = item.id
        var changes: [ItemChange] = [
            .set(\.kind, .file),
            .file(name: file.name, size: file.size),
            .set(\.mediaType, file.kind.mediaType),
        ]
        if !file.isMedia { changes.append(.set(\.readyAt, date)) }
        if let sent = file.sent {
            let name = RenamedFiles.name(title, of: id, replacing: file.name)
            changes.append(.rename(name, from: file.name, file: sent.number, in: sent.directory))
        }
        let changed = try replace(connection, id, move: nil, with: changes)?.new
        if !file.text.isEmpty {
            try connection.execute(
                "INSERT INTO texts (item, content) VALUES (?, ?)",
                .id(id),
                .text(file.text)
            )
        }
        for (suffix, checksum) in file.subtitles {
            try FileRecords.setSubtitleChecksum(connection, checksum, suffix: suffix, of: id)
        }
        if file.isMedia { try needPictures(connection, after: Int(id.rawValue) - 1) }
        return changed ?? item
    }

    /// Marks the media items after the item `last`.
    package static func needPictures(
        _ connection: SQLiteConnection,
        after last: Int
    ) throws(SQLiteError) {
        try connection.execute(
            """
            UPDATE items SET picture_due = 1 WHERE id > ?
                AND (media_type IS NULL OR substr(media_type, 1, 6) IN ('video/', 'audio/'))
            """,
            .integer(last)
        )
    }
}
