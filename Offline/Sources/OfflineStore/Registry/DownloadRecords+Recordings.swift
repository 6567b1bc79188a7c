// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
package import OfflineSources
package import TidingsSQLite

extension DownloadRecords {
    /// Returns the positions of an item's recording, one for each track, or an empty list without a
    /// recording.
    package func recording(of id: ItemID) throws(SQLiteError) -> [LiveWindow] {
        try registry.rows(
            "SELECT position FROM recordings WHERE item = ? ORDER BY track",
            .id(id)
        ) { row throws(SQLiteError) in
            let text = try row.text("position")
            do {
                return try JSONDecoder().decode(LiveWindow.self, from: Data(text.utf8))
            } catch {
                throw SQLiteError(
                    .corrupt,
                    "The registry contains an invalid position of this recording. Remove the "
                        + "item and record its address again.",
                    cause: error
                )
            }
        }
    }

    /// Replaces the positions of an item's recording, or ends the recording if the list is empty.
    package func setRecording(_ windows: [LiveWindow], of id: ItemID) throws(SQLiteError) {
        try registry.transaction { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM recordings WHERE item = ?", .id(id))
            for (track, window) in windows.enumerated() {
                try Self.store(connection, window, track: track, of: id)
            }
        }
    }

    /// Adds new parts to a track together with the position after these parts.
    package func append(
        _ records: [PartRecord],
        _ window: LiveWindow,
        toTrack track: Int,
        of id: ItemID
    ) throws(SQLiteError) {
        try registry.transaction { connection throws(SQLiteError) in
            for record in records { try Self.insert(connection, record, of: id) }
            try Self.store(connection, window, track: track, of: id)
        }
    }

    private static func store(
        _ connection: SQLiteConnection,
        _ window: LiveWindow,
        track: Int,
        of id: ItemID
    ) throws(SQLiteError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(window)
        } catch {
            throw SQLiteError(.corrupt, "A recording's position has no text.", cause: error)
        }
        try connection.execute(
            "INSERT OR REPLACE INTO recordings VALUES (?, ?, ?)",
            .id(id),
            .integer(track),
            .text(String(decoding: data, as: UTF8.self))
        )
    }
}
