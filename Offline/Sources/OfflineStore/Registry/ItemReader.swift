// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineMedia
package import OfflineModel
package import TidingsSQLite

/// Reads the items of a registry.
///
/// Only a holder of the `Registry` can change items, so that each change passes the journal of
/// OfflineDownloads.
package struct ItemReader: Sendable {
    let registry: Registry

    /// Returns all items, the newest first.
    package func items() throws(SQLiteError) -> [MediaItem] {
        guard registry.hasTables else { return [] }
        return try items(where: "1 ORDER BY id DESC")
    }

    /// Returns an item, or nil if no item has this identifier.
    package func item(_ id: ItemID) throws(SQLiteError) -> MediaItem? {
        try registry.withConnection { connection throws(SQLiteError) in
            try Self.item(connection, id)
        }
    }

    /// Returns an item with all columns of the row, or nil if no item has this identifier.
    package func row(of id: ItemID) throws(SQLiteError) -> StoredItem? {
        try registry.withConnection { connection throws(SQLiteError) in
            try Self.row(connection, id)
        }
    }

    /// Returns the newest item of the request's origin and choice, or nil if there is none.
    package func newestItem(of request: DownloadRequest) throws(SQLiteError) -> MediaItem? {
        guard registry.hasTables else { return nil }
        let request = try settled(request)
        return try registry.withConnection { connection throws(SQLiteError) in
            try Self.newest(connection, request)
        }
    }

    /// Returns the item that was created at a time for the request's origin and choice.
    package func item(of request: DownloadRequest, at date: Date) throws(SQLiteError) -> MediaItem?
    {
        guard registry.hasTables else { return nil }
        let request = try settled(request)
        return try items(
            where: "source = ? AND \(Self.isChoice) AND created_at = ?",
            [.text(request.origin.text)] + request.choice.columns
                + [.real(date.timeIntervalSince1970)]
        ).first
    }

    /// Returns the newest ready item of an origin in any choice, or else the newest item.
    package func bestItem(of origin: ItemOrigin) throws(SQLiteError) -> MediaItem? {
        try items(
            where: "source = ? ORDER BY state = 'ready' DESC, id DESC LIMIT 1",
            [.text(origin.text)]
        ).first
    }

    /// Returns the items of a given size whose files are in the media folder, the oldest first.
    package func items(ofSize size: Int64) throws(SQLiteError) -> [MediaItem] {
        try items(
            where: "size = ? AND state IN ('ready', 'unverified') ORDER BY id",
            [.integer(Int(size))]
        )
    }

    /// Returns the file names of items that start with a film's name without the extension.
    package func fileNames(beside film: String) throws(SQLiteError) -> Set<String> {
        let stem = SubtitleFile.stem(of: film) + "."
        let names = try registry.rows(
            "SELECT file_name FROM items WHERE substr(file_name, 1, ?) = ?",
            .integer(stem.unicodeScalars.count),
            .text(stem)
        ) { row throws(SQLiteError) in try row.text("file_name") }
        return Set(names)
    }

    /// Returns the items that a full disk has paused, in the order of their requests.
    package func itemsWaitingForSpace() throws(SQLiteError) -> [ItemID] {
        try registry.rows(
            "SELECT id FROM items WHERE state = ? AND error_code = ? ORDER BY id",
            .text(ItemState.paused.rawValue),
            .text(DownloadError.Code.diskFull.description)
        ) { row throws(SQLiteError) in try row.id("id") }
    }

    /// Returns the options of an item's requests.
    ///
    /// The options are not part of `MediaItem`, because items appear in messages, in the API and on
    /// the page, and options contain secrets.
    ///
    /// - Throws: `SQLiteError`, and `DownloadError` with `.refused` for options that this version
    ///   cannot read. Without the options, a request could reach another server than the user
    ///   intended.
    package func options(of id: ItemID) throws -> RequestOptions {
        try RequestOptions(stored: row(of: id)?.options)
    }

    /// Returns the finished items that the user can continue, the last played first.
    package func itemsInPlayback(limit: Int) throws(SQLiteError) -> [MediaItem] {
        try registry.rows(
            """
            SELECT * FROM items INDEXED BY items_in_playback
            WHERE played_seconds > 0 AND state = ?
            ORDER BY played_at DESC, id DESC LIMIT ?
            """,
            .text(ItemState.ready.rawValue),
            .integer(limit)
        ) { row throws(SQLiteError) in try MediaItem(row) }
    }

    /// Returns the items for which a condition is true.
    func items(
        where condition: String,
        _ values: [SQLiteValue] = []
    ) throws(SQLiteError) -> [MediaItem] {
        try registry.withConnection { connection throws(SQLiteError) in
            try Self.items(connection, where: condition, values: values)
        }
    }

    /// Returns the request with the settings' choice in place of everything that the request leaves
    /// open.
    func settled(_ request: DownloadRequest) throws(SQLiteError) -> DownloadRequest {
        var request = request
        request.choice = RequestedChoice(
            request.choice.choice(else: try registry.preferences.settings().choice)
        )
        return request
    }

    /// The condition that an item has a choice, with the `columns` of the choice as values.
    static let isChoice = "quality = ? AND audio = ? AND subtitles = ? AND kept_chapters = ?"
    /// The condition that an item keeps the same media as a choice.
    ///
    /// The values are the `columns` and the `part` of the choice. A file has one quality and one
    /// set of languages, so only the chapters of a file must match.
    package static let isSame = "(\(isChoice) OR kind = 'file' AND kept_chapters = ?)"

    static func newest(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest
    ) throws(SQLiteError) -> MediaItem? {
        // An item whose server has not answered comes after the item that keeps the file.
        try items(
            connection,
            where: """
                source = ? AND \(isSame)
                ORDER BY kind IS NULL AND NOT is_separate, id DESC LIMIT 1
                """,
            values: [.text(request.origin.text)] + request.choice.columns + [request.choice.part]
        ).first
    }

    /// Returns an item, or nil if the item does not exist.
    package static func item(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) -> MediaItem? {
        try items(connection, where: "id = ?", .id(id)).first
    }

    /// Returns the items for which a condition is true.
    package static func items(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [MediaItem] {
        try items(connection, where: condition, values: values)
    }

    static func row(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) -> StoredItem? {
        try connection.rows("SELECT * FROM items WHERE id = ?", .id(id)) {
            row throws(SQLiteError) in try StoredItem(row)
        }.first
    }

    private static func items(
        _ connection: SQLiteConnection,
        where condition: String,
        values: [SQLiteValue]
    ) throws(SQLiteError) -> [MediaItem] {
        try connection.rows("SELECT * FROM items WHERE \(condition)", values: values) {
            row throws(SQLiteError) in try MediaItem(row)
        }
    }
}

extension RequestedChoice {
    /// The values of the columns of a choice that leaves nothing to the settings.
    var columns: [SQLiteValue] { choice().columns }

    /// The value of the column `kept_chapters`.
    var part: SQLiteValue { choice().part }
}

extension MediaChoice {
    /// The values of the columns `quality`, `audio`, `subtitles` and `kept_chapters`.
    package var columns: [SQLiteValue] {
        [.text(quality.description), .text(audio.description), .text(subtitles.description), part]
    }

    /// The value of the column `kept_chapters`.
    package var part: SQLiteValue { .text(chapters?.description ?? "") }
}
