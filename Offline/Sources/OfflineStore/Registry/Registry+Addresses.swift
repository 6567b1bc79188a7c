// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP
package import TidingsSQLite

extension Registry {
    /// Replaces an item's address and queues the item again, in one transaction with the checks.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - address: The new address.
    ///   - isUnrecorded: Whether no task has the item, although the row may say otherwise.
    /// - Returns: The outcome, where only `changed` stands for a change of the registry.
    /// - Throws: `SQLiteError`, in which case nothing is changed.
    package func replaceAddress(
        of id: ItemID,
        by address: WebAddress,
        isUnrecorded: Bool
    ) throws(SQLiteError) -> AddressChange {
        try transaction { connection throws(SQLiteError) in
            guard let item = try ItemReader.item(connection, id) else { return .noItem }
            let canRetry = item.state.after(.retry) != nil
            guard canRetry || isUnrecorded, case .address(let old) = item.origin else {
                return .refused(item)
            }
            let isRecording = try Self.hasRecording(connection, id)
            if isRecording, item.live?.isOver == true { return .recordingIsOver }
            let request = DownloadRequest(.address(address), choice: RequestedChoice(item.choice))
            if let other = try ItemReader.newest(connection, request), other.id != id {
                return .otherItem(other.id)
            }
            let text = try ItemReader.row(connection, id)?.options
            let options: RequestOptions
            do throws(DownloadError) {
                options = try RequestOptions(stored: text)
            } catch {
                return .unreadableOptions(error)
            }
            let moved = options.moved(from: old, to: address)
            let changes = Self.changes(of: item, to: address, with: options, moved, isRecording)
            let move: ItemMove = canRetry ? .retry : .interrupt
            guard let result = try Self.replace(connection, id, move: move, with: changes) else {
                return .refused(item)
            }
            return .changed(old: result.old, new: result.new)
        }
    }

    private static func changes(
        of item: MediaItem,
        to address: WebAddress,
        with options: RequestOptions,
        _ moved: RequestOptions,
        _ isRecording: Bool
    ) -> [ItemChange] {
        var notes = options == moved ? [] : [RequestOptions.noteAfterMove]
        if isRecording { notes.append("The recording goes on from a new address.") }
        var changes: [ItemChange] = [
            .set(\.error, nil), .origin(.address(address)), .options(moved),
            .set(\.note, ItemNote(notes, after: item.note).text),
        ]
        // The new server may have another kind of media, but only a stream continues a recording.
        if !isRecording { changes.append(.set(\.kind, nil)) }
        return changes
    }

    private static func hasRecording(
        _ connection: SQLiteConnection,
        _ id: ItemID
    ) throws(SQLiteError) -> Bool {
        try !connection.rows("SELECT 1 AS found FROM recordings WHERE item = ? LIMIT 1", .id(id)) {
            row throws(SQLiteError) in try row.int("found")
        }.isEmpty
    }
}

/// The outcome of replacing an item's address.
package enum AddressChange: Sendable {
    /// The item before and after the change.
    case changed(old: MediaItem, new: MediaItem)
    /// The registry has no such item.
    case noItem
    /// The item has a state or an origin that does not permit another address.
    case refused(MediaItem)
    /// The recording of the item is over, so the library does not contact another address.
    case recordingIsOver
    /// Another item has the address.
    case otherItem(ItemID)
    /// The item's options cannot be read.
    case unreadableOptions(DownloadError)
}
