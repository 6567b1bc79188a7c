// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
package import TidingsSQLite

/// The columns of an item's row, either read from a row or taken from an item.
///
/// The initializers below state each column once for both directions, with a closure that takes the
/// value from an item. An item is written by running the initializer that reads a row. The
/// initializer then collects the names and the values, so that every column that is read is also
/// written.
struct ItemColumns {
    private enum Source {
        case row(SQLiteRow)
        case item(StoredItem)
    }

    private let source: Source
    /// The names of the columns that an item was asked for.
    private(set) var names: [String] = []
    /// The values in the order of the names.
    private(set) var values: [SQLiteValue] = []

    /// Creates the columns of a row.
    init(_ row: SQLiteRow) {
        source = .row(row)
    }

    /// Takes all columns from an item.
    init(of item: StoredItem) throws(SQLiteError) {
        source = .item(item)
        _ = try StoredItem(&self)
    }

    /// Returns the value of a column that is never NULL.
    fileprivate mutating func value<Value: ColumnValue>(
        _ name: String,
        _ value: (StoredItem) -> Value
    ) throws(SQLiteError) -> Value {
        switch source {
        case .row(let row): return try row.present(Value.read(row, name), name)
        case .item(let item):
            let found = value(item)
            names.append(name)
            values.append(found.column)
            return found
        }
    }

    /// Returns the value of a column, or nil for NULL.
    fileprivate mutating func optional<Value: ColumnValue>(
        _ name: String,
        _ value: (StoredItem) -> Value?
    ) throws(SQLiteError) -> Value? {
        switch source {
        case .row(let row): return try Value.read(row, name)
        case .item(let item):
            let found = value(item)
            names.append(name)
            values.append(found?.column ?? .null)
            return found
        }
    }
}

extension StoredItem {
    /// Reads all columns of a row.
    package init(_ row: SQLiteRow) throws(SQLiteError) {
        var columns = ItemColumns(row)
        try self.init(&columns)
    }

    fileprivate init(_ columns: inout ItemColumns) throws(SQLiteError) {
        item = try MediaItem(&columns)
        marks = ItemMarks(
            sha256: try columns.optional("sha256") { $0.marks.sha256 },
            modified: try columns.optional("modified") { $0.marks.modified },
            kept: try columns.value("kept") { $0.marks.kept == true } ? true : nil
        )
        options = try columns.optional("options") { $0.options }
        picture = try columns.optional("picture") { $0.picture }
        isPictureDue = try columns.value("picture_due") { $0.isPictureDue }
        isSeparate = try columns.value("is_separate") { $0.isSeparate }
        formerName = try columns.optional("former_name") { $0.formerName }
        formerFile = try columns.optional("former_file") { $0.formerFile }
    }
}

extension MediaItem {
    /// Reads an item from a row.
    package init(_ row: SQLiteRow) throws(SQLiteError) {
        var columns = ItemColumns(row)
        try self.init(&columns)
    }

    fileprivate init(_ columns: inout ItemColumns) throws(SQLiteError) {
        self.init(
            id: ItemID(rawValue: try columns.value("id") { $0.item.id.rawValue }),
            origin: ItemOrigin(stored: try columns.value("source") { $0.item.origin.text }),
            choice: try MediaChoice(&columns),
            allowsPrivateAddresses: try columns.value("allows_private") {
                $0.item.allowsPrivateAddresses
            },
            hasPicture: try columns.value("has_picture") { $0.item.hasPicture },
            position: try columns.value("position") { $0.item.position },
            titleSource: try columns.optional("title_source") { $0.item.titleSource?.rawValue }
                .flatMap(TitleSource.init(rawValue:)),
            fields: try ItemFields(&columns)
        )
    }
}

extension ItemFields {
    fileprivate init(_ columns: inout ItemColumns) throws(SQLiteError) {
        // The name in a manipulated registry must never become a path outside the media folder.
        let storedName = try columns.optional("file_name") { $0.item.fields.fileName }
        let fileName = storedName.flatMap { LibraryDirectory.isMediaName($0) ? $0 : nil }
        let storedState = try columns.value("state") { $0.item.fields.state.rawValue }
        let state = ItemState(rawValue: storedState) ?? .failed
        self.init(
            title: try columns.value("title") { $0.item.fields.title },
            kind: try columns.optional("kind") { $0.item.fields.kind?.rawValue }
                .map(ItemKind.init(rawValue:)),
            state: storedName != fileName && state == .ready ? .missing : state,
            fileName: fileName,
            size: try columns.optional("size") { $0.item.fields.size },
            mediaType: try columns.optional("media_type") { $0.item.fields.mediaType },
            // JSON cannot represent a number that is not finite.
            duration: try columns.optional("duration") { $0.item.fields.duration }
                .flatMap { $0.isFinite ? $0 : nil },
            width: try columns.optional("width") { $0.item.fields.width },
            height: try columns.optional("height") { $0.item.fields.height },
            note: try columns.optional("note") { $0.item.fields.note },
            error: try ItemFailure.read(&columns),
            createdAt: try columns.value("created_at") { $0.item.fields.createdAt },
            readyAt: try columns.optional("ready_at") { $0.item.fields.readyAt },
            live: try LiveRecording.read(&columns),
            playback: try Playback.read(&columns)
        )
    }
}

extension MediaChoice {
    /// Reads a choice, with defaults for the columns that this version cannot parse.
    fileprivate init(_ columns: inout ItemColumns) throws(SQLiteError) {
        let quality = try columns.value("quality") { $0.item.choice.quality.description }
        let audio = try columns.value("audio") { $0.item.choice.audio.description }
        let subtitles = try columns.value("subtitles") { $0.item.choice.subtitles.description }
        let chapters = try columns.value("kept_chapters") {
            $0.item.choice.chapters?.description ?? ""
        }
        self.init(
            quality: (try? QualityChoice(quality)) ?? .best,
            audio: (try? LanguageChoice(audio)) ?? .all,
            subtitles: (try? LanguageChoice(subtitles)) ?? .all,
            chapters: try? ChapterRange(chapters)
        )
    }
}

extension ItemFailure {
    fileprivate static func read(_ columns: inout ItemColumns) throws(SQLiteError) -> ItemFailure? {
        let code = try columns.optional("error_code") { $0.item.failure?.code }
        let message = try columns.optional("error_message") { $0.item.failure?.message }
        return code.map { ItemFailure(code: $0, message: message ?? $0) }
    }
}

extension LiveRecording {
    fileprivate static func read(
        _ columns: inout ItemColumns
    ) throws(SQLiteError) -> LiveRecording? {
        let state = try columns.value("live") { $0.item.live.map { $0.isOver ? 2 : 1 } ?? 0 }
        let seconds = try columns.optional("live_seconds") { $0.item.live?.seconds }
        guard state > 0 else { return nil }
        return LiveRecording(seconds: seconds.flatMap { $0.isFinite ? $0 : nil }, isOver: state > 1)
    }
}

extension Playback {
    fileprivate static func read(_ columns: inout ItemColumns) throws(SQLiteError) -> Playback? {
        let seconds = try columns.value("played_seconds") { $0.item.playback.seconds }
        let isWatched = try columns.value("is_watched") { $0.item.playback.isWatched }
        let playedAt = try columns.optional("played_at") { $0.item.playback.playedAt }
        let playback = Playback(
            seconds: isValid(seconds: seconds) ? seconds : 0,
            isWatched: isWatched,
            playedAt: playedAt.flatMap { $0.timeIntervalSince1970.isFinite ? $0 : nil }
        )
        return playback.isNew ? nil : playback
    }
}

/// A type of the values in a column.
private protocol ColumnValue {
    /// Reads a value, or returns nil for NULL.
    static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> Self?

    /// The value for a statement.
    var column: SQLiteValue { get }
}

extension String: ColumnValue {
    fileprivate static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> String? {
        try row.optionalText(name)
    }

    fileprivate var column: SQLiteValue { .text(self) }
}

extension Int: ColumnValue {
    fileprivate static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> Int? {
        try row.optionalInt(name)
    }

    fileprivate var column: SQLiteValue { .integer(self) }
}

extension Int64: ColumnValue {
    fileprivate static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> Int64? {
        try row.optionalInt(name).map(Int64.init)
    }

    fileprivate var column: SQLiteValue { .integer(Int(self)) }
}

extension Bool: ColumnValue {
    fileprivate static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> Bool? {
        try row.optionalInt(name).map { $0 != 0 }
    }

    fileprivate var column: SQLiteValue { .bool(self) }
}

extension Double: ColumnValue {
    fileprivate static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> Double? {
        try row.optionalDouble(name)
    }

    fileprivate var column: SQLiteValue { .real(self) }
}

extension Date: ColumnValue {
    fileprivate static func read(_ row: SQLiteRow, _ name: String) throws(SQLiteError) -> Date? {
        try row.optionalDouble(name).map(Date.init(timeIntervalSince1970:))
    }

    fileprivate var column: SQLiteValue { .real(timeIntervalSince1970) }
}
