// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Returns the positions of an item's recording, one for each track; empty without one.
    func recording(of id: ItemID) throws(SQLiteError) -> [LiveWindow] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                "SELECT position FROM recordings WHERE item = ? ORDER BY track",
                .integer(Int(id.rawValue))
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
    }

    /// Replaces the positions of an item's recording; an empty list ends it.
    func setRecording(_ windows: [LiveWindow], of id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(
                    "DELETE FROM recordings WHERE item = ?",
                    .integer(Int(id.rawValue))
                )
                for (track, window) in windows.enumerated() {
                    try Self.store(connection, window, track, id)
                }
            }
        }
    }

    /// Adds new parts to a track together with its position after them.
    func append(
        _ records: [PartRecord],
        _ window: LiveWindow,
        toTrack track: Int,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for record in records { try Self.insert(connection, record, id) }
                try Self.store(connection, window, track, id)
            }
        }
    }

    /// Marks parts as lacking on the server.
    func markGaps(_ parts: [PartID], in id: ItemID) throws(SQLiteError) {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for part in parts {
                    try connection.execute(
                        """
                        UPDATE parts SET gap = 1, size = NULL
                        WHERE item = ? AND track = ? AND number = ?
                        """,
                        .integer(Int(id.rawValue)),
                        .integer(part.track),
                        .integer(part.number)
                    )
                }
            }
        }
    }

    private static func store(
        _ connection: SQLiteConnection,
        _ window: LiveWindow,
        _ track: Int,
        _ id: ItemID
    ) throws(SQLiteError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(window)
        } catch {
            throw SQLiteError(.corrupt, "A recording's position has no text.", cause: error)
        }
        try connection.execute(
            "INSERT OR REPLACE INTO recordings VALUES (?, ?, ?)",
            .integer(Int(id.rawValue)),
            .integer(track),
            .text(String(decoding: data, as: UTF8.self))
        )
    }
}
