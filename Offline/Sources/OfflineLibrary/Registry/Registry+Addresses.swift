// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// The outcome of the replacement of an item's address.
enum AddressChange: Sendable {
    /// The item, before and after.
    case changed(old: MediaItem, new: MediaItem)
    /// The registry has no such item.
    case noItem
    /// The item is in a state, or has an origin, in which it keeps its address.
    case refused(MediaItem)
    /// The recording of the item is over, so that no other address is asked.
    case recordingIsOver
    /// Another item has the address.
    case otherItem(ItemID)
    /// The item's options cannot be read.
    case unreadableOptions(DownloadError)
}

extension Registry {
    /// Replaces an item's address and queues it again, in one transaction with the checks.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - address: The new address.
    ///   - isUnrecorded: Whether the item is in no task although its row may say so.
    /// - Returns: The outcome; only `changed` has changed the registry.
    /// - Throws: `SQLiteError`; nothing is changed then.
    func replaceAddress(
        of id: ItemID,
        by address: WebAddress,
        isUnrecorded: Bool
    ) throws(SQLiteError) -> AddressChange {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                guard let item = try Self.item(connection, id) else { return .noItem }
                let canRetry = item.state.after(.retry) != nil
                guard canRetry || isUnrecorded, case .address(let old) = item.origin else {
                    return .refused(item)
                }
                let isRecording = try Self.hasRecording(connection, id)
                if isRecording, item.live?.isOver == true { return .recordingIsOver }
                let request = DownloadRequest(
                    .address(address),
                    choice: RequestedChoice(item.choice)
                )
                if let other = try Self.newest(connection, request), other.id != id {
                    return .otherItem(other.id)
                }
                let text = try Self.optionsText(connection, id)
                let options: RequestOptions
                do throws(DownloadError) {
                    options = try RequestOptions(stored: text)
                } catch {
                    return .unreadableOptions(error)
                }
                let moved = options.moved(from: old, to: address)
                let changes = Self.changes(of: item, to: address, options, moved, isRecording)
                let move: ItemMove = canRetry ? .retry : .interrupt
                guard let result = try Self.replace(connection, id, move, changes) else {
                    return .refused(item)
                }
                return .changed(old: result.old, new: result.new)
            }
        }
    }

    private static func changes(
        of item: MediaItem,
        to address: WebAddress,
        _ options: RequestOptions,
        _ moved: RequestOptions,
        _ isRecording: Bool
    ) -> [ItemChange] {
        var notes = options == moved ? [] : [RequestOptions.noteAfterMove]
        if isRecording { notes.append("The recording goes on from a new address.") }
        var changes: [ItemChange] = [
            .failure(nil), .origin(.address(address)), .options(moved),
            .note(ItemNote(notes, after: item.note).text),
        ]
        // The new server may have another kind of media, but only a stream continues a recording.
        if !isRecording { changes.append(.kind(nil)) }
        return changes
    }

    private static func hasRecording(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) -> Bool {
        try !connection.rows(
            "SELECT 1 AS found FROM recordings WHERE item = ? LIMIT 1",
            .integer(Int(id.rawValue))
        ) { row throws(SQLiteError) in try row.int("found") }.isEmpty
    }
}
