// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import OfflineModel
package import TidingsSQLite

extension Registry {
    /// Changes the playback of an item.
    ///
    /// A player sends the time every few seconds, so the commit of a time does not wait for the
    /// disk, and a power cut may lose the last times. The commit of a mark by the user waits for
    /// the disk.
    ///
    /// - Returns: The playback before and after the change, or nil if the item does not exist.
    package func play(
        _ id: ItemID,
        _ change: PlaybackChange,
        at date: Date
    ) throws(SQLiteError) -> (old: Playback, new: Playback)? {
        try withConnection { connection throws(SQLiteError) in
            let body = { () throws(SQLiteError) -> (old: Playback, new: Playback)? in
                guard let row = try ItemReader.row(connection, id) else { return nil }
                let item = row.item
                let new = item.playback.applying(change, duration: item.duration, at: date)
                var changed = row
                changed.item.fields.playback = new.isNew ? nil : new
                try Self.save(connection, changed, insteadOf: row)
                return (item.playback, new)
            }
            guard change.isWatched == nil else { return try connection.transaction(body) }
            return try connection.unsyncedTransaction(body)
        }
    }
}
