// SPDX-License-Identifier: Apache-2.0
package import Foundation
import TidingsSQLite

/// A change of columns in an item's row; its state changes by an ``ItemMove`` alone.
package enum ItemChange: Sendable {
    /// The source of the item; nil until the server of its address has sent content.
    case kind(ItemKind?)
    /// The address of the media, which replaces an earlier one.
    case origin(ItemOrigin)
    /// The options of the item's requests.
    case options(RequestOptions)
    /// A title, unless the item has one of a source that goes before this one.
    case title(String, from: TitleSource = .person)
    case mediaType(String?)
    case allowsPrivateAddresses(Bool)
    /// A note for the user about the course of the download; nil removes it.
    case note(String?)
    /// The failure of the item; nil removes it.
    case failure(ItemFailure?)
    /// The name and size in bytes of a file that is in the media folder.
    case file(name: String, size: Int64)
    /// A free name for the finished file and its size in bytes, recorded before its rename.
    case newFile(MediaFileName, in: LibraryDirectory, size: Int64)
    /// A free name for a finished file, recorded before its move with the former name and the
    /// number by which the file system knows the file.
    case rename(MediaFileName, from: String, file: Int?, in: LibraryDirectory)
    /// The file has its new name.
    case renamed
    /// The file keeps its former name.
    case notRenamed(String)
    /// The duration in seconds, and the size in pixels.
    case properties(duration: Double?, width: Int?, height: Int?)
    /// Whether the library has a picture of the item; it needs no other one.
    case picture(Bool)
    /// The time of readiness; nil for a file that must be checked again.
    case readyAt(Date?)
    /// The time of the finished file in nanoseconds since 1970; nil if it is unknown.
    case modified(Int64?)
    /// The person keeps the item on purpose.
    case kept
    /// The recording of a live stream.
    case live(LiveRecording)

    /// Whether the change concerns an item.
    func applies(to item: MediaItem) -> Bool {
        if case .title(_, let source) = self { return item.accepts(titleFrom: source) }
        return true
    }

    /// Returns the columns of the change and their values; `freeName` returns an unused name.
    func assignment(
        _ freeName: (MediaFileName, LibraryDirectory) throws(SQLiteError) -> String
    ) throws(SQLiteError) -> (columns: [String], values: [SQLiteValue]) {
        switch self {
        case .newFile(let name, let directory, let size):
            (
                ["file_name", "size", "sha256", "modified"],
                [.text(try freeName(name, directory)), .integer(Int(size)), .null, .null]
            )
        case .rename(let name, let former, let file, let directory):
            (
                ["file_name", "former_name", "former_file"],
                [
                    .text(try freeName(name, directory)), .text(former),
                    file.map { .integer($0) } ?? .null,
                ]
            )
        case .renamed: (["former_name", "former_file"], [.null, .null])
        case .notRenamed(let name):
            (["file_name", "former_name", "former_file"], [.text(name), .null, .null])
        case .kind(let kind): (["kind"], [.optional(kind?.rawValue)])
        case .origin(let origin): (["source"], [.text(origin.text)])
        case .options(let options): (["options"], [.optional(options.stored)])
        case .title(let title, let source):
            (["title", "title_source"], [.text(title), .integer(source.rawValue)])
        case .mediaType(let type): (["media_type"], [.optional(type)])
        case .allowsPrivateAddresses(let allowed):
            (["allows_private"], [.integer(allowed ? 1 : 0)])
        case .note(let note): (["note"], [.optional(note)])
        case .failure(let failure):
            (
                ["error_code", "error_message"],
                [.optional(failure?.code), .optional(failure?.message)]
            )
        case .file(let name, let size):
            (
                ["file_name", "size", "sha256", "modified"],
                [.text(name), .integer(Int(size)), .null, .null]
            )
        case .properties(let duration, let width, let height):
            (
                ["duration", "width", "height"],
                [
                    duration.map { .real($0) } ?? .null,
                    width.map { .integer($0) } ?? .null,
                    height.map { .integer($0) } ?? .null,
                ]
            )
        case .picture(let exists):
            (["has_picture", "picture_due"], [.integer(exists ? 1 : 0), .integer(0)])
        case .readyAt(let date):
            (["ready_at"], [date.map { .real($0.timeIntervalSince1970) } ?? .null])
        case .modified(let time): (["modified"], [.optional(time)])
        case .kept: (["kept"], [.integer(1)])
        case .live(let live):
            (
                ["live", "live_seconds"],
                [.integer(live.isOver ? 2 : 1), live.seconds.map { .real($0) } ?? .null]
            )
        }
    }
}

extension SQLiteValue {
    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int64?) -> SQLiteValue {
        number.map { .integer(Int($0)) } ?? .null
    }
}
