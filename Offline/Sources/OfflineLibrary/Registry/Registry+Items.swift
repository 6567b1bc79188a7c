// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
import TidingsHTTP
import TidingsLock
package import TidingsSQLite

extension Registry {
    /// Inserts a new item for a request.
    package func insert(
        _ request: DownloadRequest,
        state: ItemState = .queued,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        let request = try settled(request)
        return try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try Self.insert(connection, request, state, title, date)
            }
        }
    }

    /// Returns the newest item of the request's origin and choice, or inserts a new one.
    ///
    /// A file is the same in each quality.
    package func insertUnlessKnown(
        _ request: DownloadRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> (item: MediaItem, isNew: Bool) {
        let request = try settled(request)
        return try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                if let known = try Self.newest(connection, request) {
                    return (known, false)
                }
                return (try Self.insert(connection, request, .queued, title, date), true)
            }
        }
    }

    /// Returns a request that leaves nothing to the settings.
    private func settled(_ request: DownloadRequest) throws(SQLiteError) -> DownloadRequest {
        var request = request
        request.choice = RequestedChoice(request.choice.choice(else: try settings().choice))
        return request
    }

    /// Returns all items, the newest first.
    package func items() throws(SQLiteError) -> [MediaItem] {
        guard hasTables else { return [] }
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.items(connection, where: "1 ORDER BY id DESC")
        }
    }

    /// Returns an item; nil if there is none with this identifier.
    package func item(_ id: ItemID) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.item(connection, id)
        }
    }

    /// Returns the newest item of the request's origin and choice; nil if there is none.
    func newestItem(of request: DownloadRequest) throws(SQLiteError) -> MediaItem? {
        guard hasTables else { return nil }
        let request = try settled(request)
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.newest(connection, request)
        }
    }

    /// Returns the item that was created at a time for the request's origin and choice.
    func item(of request: DownloadRequest, at date: Date) throws(SQLiteError) -> MediaItem? {
        guard hasTables else { return nil }
        let request = try settled(request)
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.items(
                connection,
                where: "source = ? AND \(Self.isChoice) AND created_at = ?",
                values: [.text(request.origin.text)] + request.choice.columns
                    + [.real(date.timeIntervalSince1970)]
            ).first
        }
    }

    /// Returns the newest ready item of an origin, else its newest item, of any choice.
    package func bestItem(of origin: ItemOrigin) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.items(
                connection,
                where: "source = ? ORDER BY state = ? DESC, id DESC LIMIT 1",
                .text(origin.text),
                .text(ItemState.ready.rawValue)
            ).first
        }
    }

    /// Returns the items whose files are in the media folder and have a size, the oldest first.
    func items(ofSize size: Int64) throws(SQLiteError) -> [MediaItem] {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.items(
                connection,
                where: "size = ? AND state IN (?, ?) ORDER BY id",
                .integer(Int(size)),
                .text(ItemState.ready.rawValue),
                .text(ItemState.unverified.rawValue)
            )
        }
    }

    /// Returns the names of the files of items that begin as that of a film without its extension.
    func fileNames(beside film: String) throws(SQLiteError) -> Set<String> {
        let stem = SubtitleFile.stem(of: film) + "."
        let names = try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT file_name FROM items WHERE substr(file_name, 1, ?) = ?",
                .integer(stem.unicodeScalars.count),
                .text(stem)
            ) { row throws(SQLiteError) in try row.text("file_name") }
        }
        return Set(names)
    }

    /// Returns the items that a full disk has paused, in the order of their requests.
    package func itemsWaitingForSpace() throws(SQLiteError) -> [ItemID] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT id FROM items WHERE state = ? AND error_code = ? ORDER BY id",
                .text(ItemState.paused.rawValue),
                .text(DownloadError.Code.diskFull.description)
            ) { row throws(SQLiteError) in
                ItemID(rawValue: Int64(try row.int("id")))
            }
        }
    }

    /// Queues the items whose downloads were interrupted by the end of a process.
    package func requeueInterrupted() throws(SQLiteError) {
        let active = ItemState.allCases.filter(\.isActive)
        let marks = active.map { _ in "?" }.joined(separator: ", ")
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute(
                "UPDATE items SET state = ? WHERE state IN (\(marks))",
                values: [.text(ItemState.queued.rawValue)]
                    + active.map { .text($0.rawValue) }
            )
        }
    }

    /// Changes an item's row in one transaction.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - move: The move to another state; nil keeps the state.
    ///   - changes: The other changes of the transaction.
    /// - Returns: The changed item; nil if it does not exist or the move is not legal.
    /// - Throws: `SQLiteError`; no change is committed then.
    package func update(
        _ id: ItemID,
        _ move: ItemMove?,
        _ changes: [ItemChange]
    ) throws(SQLiteError) -> MediaItem? {
        try replace(id, move, changes)?.new
    }

    /// Changes an item's row as `update` does, and returns the item before and after the change.
    func replace(
        _ id: ItemID,
        _ move: ItemMove?,
        _ changes: [ItemChange]
    ) throws(SQLiteError) -> (old: MediaItem, new: MediaItem)? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try Self.replace(connection, id, move, changes)
            }
        }
    }

    /// Changes an item's row in a transaction of the caller.
    static func replace(
        _ connection: SQLiteConnection,
        _ id: ItemID,
        _ move: ItemMove?,
        _ changes: [ItemChange]
    ) throws(SQLiteError) -> (old: MediaItem, new: MediaItem)? {
        guard let item = try item(connection, id) else { return nil }
        var assignments: [(columns: [String], values: [SQLiteValue])] = []
        for change in changes where change.applies(to: item) {
            assignments.append(
                try change.assignment { name, directory throws(SQLiteError) in
                    try freeName(connection, name, in: directory, for: id)
                }
            )
        }
        if let move {
            guard let state = item.state.after(move) else { return nil }
            assignments.append((["state"], [.text(state.rawValue)]))
        }
        if !assignments.isEmpty {
            // Of a column that two changes have, the later value counts.
            let list = assignments.flatMap(\.columns).map { "\($0) = ?" }.joined(separator: ", ")
            try connection.execute(
                "UPDATE items SET \(list) WHERE id = ?",
                values: assignments.flatMap(\.values) + [.integer(Int(id.rawValue))]
            )
        }
        return try Self.item(connection, id).map { (item, $0) }
    }

    /// Removes an item and its parts.
    package func remove(_ id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM items WHERE id = ?", .integer(Int(id.rawValue)))
        }
    }

    static func insert(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest,
        _ state: ItemState,
        _ title: String,
        _ date: Date
    ) throws(SQLiteError) -> MediaItem {
        // A feed names its entries without a title in the request.
        let isOfAddress = request.title == nil && title == Title(origin: request.origin).text
        try connection.execute(
            """
            INSERT INTO items (
                source, quality, audio, subtitles, kept_chapters, allows_private, title, state,
                created_at, live, live_seconds, options, picture, title_source, is_separate,
                position
            )
            VALUES (
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                (SELECT coalesce(max(position), 0) + 1 FROM items)
            )
            """,
            values: [.text(request.origin.text)] + request.choice.columns + [
                .integer(request.allowsPrivateAddresses ? 1 : 0),
                .text(title),
                .text(state.rawValue),
                .real(date.timeIntervalSince1970),
                .integer(request.live == nil ? 0 : 1),
                request.live?.seconds.map { .real($0) } ?? .null,
                .optional(request.options.stored),
                .optional(request.picture?.text),
                .integer((isOfAddress ? TitleSource.address : .person).rawValue),
                .bool(request.again),
            ]
        )
        return try items(connection, where: "id = ?", .integer(connection.lastInsertedRow))[0]
    }

    /// The condition that an item has a choice, whose values are its `columns`.
    static let isChoice = "quality = ? AND audio = ? AND subtitles = ? AND kept_chapters = ?"
    /// The condition that an item keeps the same, whose values are its `columns` and its `part`: a
    /// file has one quality and its own languages.
    static let isSame = "(\(isChoice) OR kind = 'file' AND kept_chapters = ?)"

    static func newest(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest
    ) throws(SQLiteError) -> MediaItem? {
        // An item whose server has not answered yields to the one that keeps the file.
        try items(
            connection,
            where: """
                source = ? AND \(isSame)
                ORDER BY kind IS NULL AND NOT is_separate, id DESC LIMIT 1
                """,
            values: [.text(request.origin.text)] + request.choice.columns + [request.choice.part]
        ).first
    }

    static func item(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) -> MediaItem? {
        try items(connection, where: "id = ?", .integer(Int(id.rawValue))).first
    }

    static func items(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [MediaItem] {
        try items(connection, where: condition, values: values)
    }

    private static func items(
        _ connection: SQLiteConnection,
        where condition: String,
        values: [SQLiteValue]
    ) throws(SQLiteError) -> [MediaItem] {
        try connection.rows("SELECT * FROM items WHERE \(condition)", values: values) {
            row throws(SQLiteError) in
            try MediaItem(row)
        }
    }
}

extension MediaItem {
    init(_ row: SQLiteRow) throws(SQLiteError) {
        // The text of a changed file must never become a path outside of the media folder.
        let storedName = try row.optionalText("file_name")
        let fileName = storedName.flatMap { LibraryDirectory.isMediaName($0) ? $0 : nil }
        let state = ItemState(rawValue: try row.text("state")) ?? .failed
        self.init(
            id: ItemID(rawValue: Int64(try row.int("id"))),
            origin: ItemOrigin(stored: try row.text("source")),
            choice: try Self.choice(row),
            allowsPrivateAddresses: try row.int("allows_private") != 0,
            title: try row.text("title"),
            kind: try row.optionalText("kind").map(ItemKind.init(rawValue:)),
            state: storedName != fileName && state == .ready ? .missing : state,
            fileName: fileName,
            size: try row.optionalInt("size").map(Int64.init),
            mediaType: try row.optionalText("media_type"),
            // JSON has no number that is not finite.
            duration: try row.optionalDouble("duration").flatMap { $0.isFinite ? $0 : nil },
            width: try row.optionalInt("width"),
            height: try row.optionalInt("height"),
            hasPicture: try row.int("has_picture") != 0,
            note: try row.optionalText("note"),
            failure: try Self.failure(row),
            createdAt: Date(timeIntervalSince1970: try row.double("created_at")),
            readyAt: try row.optionalDouble("ready_at").map(Date.init(timeIntervalSince1970:)),
            live: try Self.live(row),
            position: Int64(try row.int("position")),
            playback: try Playback(row),
            titleSource: try row.optionalInt("title_source").flatMap(TitleSource.init(rawValue:))
        )
    }

    /// Returns the choice of a row; of texts that this version cannot parse, the default.
    private static func choice(_ row: SQLiteRow) throws(SQLiteError) -> MediaChoice {
        let quality = try row.text("quality")
        let (audio, subtitles) = (try row.text("audio"), try row.text("subtitles"))
        let chapters = try row.text("kept_chapters")
        return MediaChoice(
            quality: (try? QualityChoice(quality)) ?? .best,
            audio: (try? LanguageChoice(audio)) ?? .all,
            subtitles: (try? LanguageChoice(subtitles)) ?? .all,
            chapters: try? ChapterRange(chapters)
        )
    }

    private static func live(_ row: SQLiteRow) throws(SQLiteError) -> LiveRecording? {
        let state = try row.int("live")
        guard state > 0 else { return nil }
        return LiveRecording(
            seconds: try row.optionalDouble("live_seconds").flatMap { $0.isFinite ? $0 : nil },
            isOver: state > 1
        )
    }

    private static func failure(_ row: SQLiteRow) throws(SQLiteError) -> ItemFailure? {
        guard let code = try row.optionalText("error_code") else { return nil }
        return ItemFailure(code: code, message: try row.optionalText("error_message") ?? code)
    }
}

extension RequestedChoice {
    /// The values of the columns of the choice, of which nothing is left to the settings.
    var columns: [SQLiteValue] { choice().columns }

    /// The value of the column `kept_chapters`.
    var part: SQLiteValue { choice().part }
}

extension MediaChoice {
    /// The values of the columns `quality`, `audio`, `subtitles` and `kept_chapters`.
    var columns: [SQLiteValue] {
        [.text(quality.description), .text(audio.description), .text(subtitles.description), part]
    }

    /// The value of the column `kept_chapters`.
    var part: SQLiteValue { .text(chapters?.description ?? "") }
}
