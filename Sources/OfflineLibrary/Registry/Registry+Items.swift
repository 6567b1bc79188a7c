// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
import TidingsHTTP
package import TidingsSQLite

extension Registry {
    /// Registers a request as a new item.
    package func insert(
        _ request: DownloadRequest,
        state: ItemState = .queued,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> MediaItem {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try Self.insert(connection, request, state, title, date)
            }
        }
    }

    /// Registers a request as a new item, or finds the newest one of its source and rendition.
    package func insertUnlessKnown(
        _ request: DownloadRequest,
        title: String,
        at date: Date
    ) throws(SQLiteError) -> (item: MediaItem, isNew: Bool) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                if let known = try Self.newest(connection, request.source, request.rendition) {
                    return (known, false)
                }
                return (try Self.insert(connection, request, .queued, title, date), true)
            }
        }
    }

    /// Every item, the newest first.
    package func items() throws(SQLiteError) -> [MediaItem] {
        guard hasTables else { return [] }
        return try connection.withLock { connection throws(SQLiteError) in
            try Self.items(connection, where: "1 ORDER BY id DESC")
        }
    }

    /// One item, nil when there is none of that identifier.
    package func item(_ id: ItemID) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.items(connection, where: "id = ?", .integer(Int(id.rawValue))).first
        }
    }

    /// The newest item of a source and rendition.
    package func item(
        of source: MediaSource,
        rendition: RenditionChoice
    ) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.newest(connection, source, rendition)
        }
    }

    /// What of a source is of the most use: a ready item, or else the newest, of any rendition.
    package func bestItem(of source: MediaSource) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try Self.items(
                connection,
                where: "source = ? ORDER BY state = ? DESC, id DESC LIMIT 1",
                .text(source.text),
                .text(ItemState.ready.rawValue)
            ).first
        }
    }

    /// The items that wait for their turn, in the order they were asked for.
    package func queuedItems() throws(SQLiteError) -> [ItemID] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT id FROM items WHERE state = ? ORDER BY id",
                .text(ItemState.queued.rawValue)
            ) { row throws(SQLiteError) in
                ItemID(rawValue: Int64(try row.int("id")))
            }
        }
    }

    /// Puts back into the queue what a process left behind when it died.
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

    /// Changes one row and returns the item as it is then; nil when it is gone, or no longer in
    /// `state`, if one is given.
    package func update(
        _ id: ItemID,
        in state: ItemState? = nil,
        _ changes: [ItemChange]
    ) throws(SQLiteError) -> MediaItem? {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                if let state {
                    let found = try Self.items(
                        connection,
                        where: "id = ?",
                        .integer(Int(id.rawValue))
                    )
                    guard found.first?.state == state else { return nil }
                }
                for change in changes {
                    let (columns, values) = change.assignment
                    let list = columns.map { "\($0) = ?" }.joined(separator: ", ")
                    try connection.execute(
                        "UPDATE items SET \(list) WHERE id = ?",
                        values: values + [.integer(Int(id.rawValue))]
                    )
                }
                return try Self.items(connection, where: "id = ?", .integer(Int(id.rawValue))).first
            }
        }
    }

    /// Forgets an item and its segments.
    package func remove(_ id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM items WHERE id = ?", .integer(Int(id.rawValue)))
        }
    }

    private static func insert(
        _ connection: SQLiteConnection,
        _ request: DownloadRequest,
        _ state: ItemState,
        _ title: String,
        _ date: Date
    ) throws(SQLiteError) -> MediaItem {
        try connection.execute(
            """
            INSERT INTO items (source, rendition, allows_private, title, state, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            .text(request.source.text),
            .text(request.rendition.description),
            .integer(request.allowsPrivateAddresses ? 1 : 0),
            .text(title),
            .text(state.rawValue),
            .real(date.timeIntervalSince1970)
        )
        return try items(connection, where: "id = ?", .integer(connection.lastInsertedRow))[0]
    }

    private static func newest(
        _ connection: SQLiteConnection,
        _ source: MediaSource,
        _ rendition: RenditionChoice
    ) throws(SQLiteError) -> MediaItem? {
        try items(
            connection,
            where: "source = ? AND rendition = ? ORDER BY id DESC LIMIT 1",
            .text(source.text),
            .text(rendition.description)
        ).first
    }

    private static func items(
        _ connection: SQLiteConnection,
        where condition: String,
        _ values: SQLiteValue...
    ) throws(SQLiteError) -> [MediaItem] {
        try connection.rows("SELECT * FROM items WHERE \(condition)", values: values) {
            row throws(SQLiteError) in
            try MediaItem(row)
        }
    }
}

extension MediaItem {
    fileprivate init(_ row: SQLiteRow) throws(SQLiteError) {
        let rendition = try row.text("rendition")
        self.init(
            id: ItemID(rawValue: Int64(try row.int("id"))),
            source: MediaSource(stored: try row.text("source")),
            rendition: (try? RenditionChoice(rendition)) ?? .best,
            allowsPrivateAddresses: try row.int("allows_private") != 0,
            title: try row.text("title"),
            kind: try row.optionalText("kind").flatMap(ItemKind.init(rawValue:)),
            state: ItemState(rawValue: try row.text("state")) ?? .failed,
            fileName: try row.optionalText("file_name"),
            size: try row.optionalInt("size").map(Int64.init),
            mediaType: try row.optionalText("media_type"),
            duration: try row.optionalDouble("duration"),
            width: try row.optionalInt("width"),
            height: try row.optionalInt("height"),
            hasPicture: try row.int("has_picture") != 0,
            note: try row.optionalText("note"),
            failure: try Self.failure(row),
            createdAt: Date(timeIntervalSince1970: try row.double("created_at")),
            readyAt: try row.optionalDouble("ready_at").map(Date.init(timeIntervalSince1970:))
        )
    }

    private static func failure(_ row: SQLiteRow) throws(SQLiteError) -> ItemFailure? {
        guard let code = try row.optionalText("error_code") else { return nil }
        return ItemFailure(code: code, message: try row.optionalText("error_message") ?? code)
    }
}
