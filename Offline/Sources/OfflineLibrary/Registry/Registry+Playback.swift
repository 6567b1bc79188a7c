// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

extension Registry {
    /// Changes the playback of an item.
    ///
    /// A player sends its time every few seconds, so the commit of a time does not wait for the
    /// disk: a power cut may take the last ones. A mark of the person is synced.
    ///
    /// - Returns: The playback before and after the change; nil if there is no such item.
    func play(
        _ id: ItemID,
        _ change: PlaybackChange,
        at date: Date
    ) throws(SQLiteError) -> (old: Playback, new: Playback)? {
        try connection.withLock { connection throws(SQLiteError) in
            let body = { () throws(SQLiteError) -> (old: Playback, new: Playback)? in
                guard let item = try Self.item(connection, id) else { return nil }
                let new = item.playback.applying(change, duration: item.duration, at: date)
                if new != item.playback { try Self.set(connection, new, of: id) }
                return (item.playback, new)
            }
            guard change.isWatched == nil else { return try connection.transaction(body) }
            return try connection.unsyncedTransaction(body)
        }
    }

    /// Stores the playback of an item in a transaction of the caller.
    static func set(
        _ connection: SQLiteConnection,
        _ playback: Playback,
        of id: ItemID
    ) throws(SQLiteError) {
        try connection.execute(
            "UPDATE items SET played_seconds = ?, is_watched = ?, played_at = ? WHERE id = ?",
            .real(playback.seconds),
            .bool(playback.isWatched),
            playback.playedAt.map { .real($0.timeIntervalSince1970) },
            .integer(Int(id.rawValue))
        )
    }

    /// Returns the finished items that a person can continue, the last played first.
    func itemsInPlayback(limit: Int) throws(SQLiteError) -> [MediaItem] {
        try connection.withLock { connection throws(SQLiteError) in
            try connection.rows(
                """
                SELECT * FROM items INDEXED BY items_in_playback
                WHERE played_seconds > 0 AND state = ?
                ORDER BY played_at DESC, id DESC LIMIT ?
                """,
                .text(ItemState.ready.rawValue),
                .integer(limit)
            ) { row throws(SQLiteError) in try MediaItem(row) }
        }
    }
}

extension Playback {
    /// Reads the playback of an item's row.
    init(_ row: SQLiteRow) throws(SQLiteError) {
        let seconds = try row.double("played_seconds")
        self.init(
            // JSON has no number that is not finite.
            seconds: Self.isValid(seconds: seconds) ? seconds : 0,
            isWatched: try row.int("is_watched") != 0,
            playedAt: try row.optionalDouble("played_at").flatMap {
                $0.isFinite ? Date(timeIntervalSince1970: $0) : nil
            }
        )
    }
}
