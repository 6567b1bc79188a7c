// SPDX-License-Identifier: Apache-2.0
package import Foundation
import TidingsSQLite

/// One change of an item's row; several are committed together.
package enum ItemChange: Sendable {
    case state(ItemState)
    case kind(ItemKind)
    case title(String)
    case mediaType(String?)
    case allowsPrivateAddresses(Bool)
    /// What a person should know about the way here; nil takes the note back.
    case note(String?)
    /// Failed, and why; nil takes the failure back.
    case failure(ItemFailure?)
    /// The finished file's name and size, recorded before it gets its final name.
    case file(name: String, size: Int64)
    case facts(duration: Double?, width: Int?, height: Int?)
    case picture(Bool)
    case readyAt(Date)

    var assignment: (columns: [String], values: [SQLiteValue]) {
        switch self {
        case .state(let state): (["state"], [.text(state.rawValue)])
        case .kind(let kind): (["kind"], [.text(kind.rawValue)])
        case .title(let title): (["title"], [.text(title)])
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
            (["file_name", "size"], [.text(name), .integer(Int(size))])
        case .facts(let duration, let width, let height):
            (
                ["duration", "width", "height"],
                [
                    duration.map { .real($0) } ?? .null,
                    width.map { .integer($0) } ?? .null,
                    height.map { .integer($0) } ?? .null,
                ]
            )
        case .picture(let exists): (["has_picture"], [.integer(exists ? 1 : 0)])
        case .readyAt(let date): (["ready_at"], [.real(date.timeIntervalSince1970)])
        }
    }
}

extension SQLiteValue {
    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int64?) -> SQLiteValue {
        number.map { .integer(Int($0)) } ?? .null
    }
}
