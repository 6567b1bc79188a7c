// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineDownloads
package import OfflineModel
import OfflineStore
import Tidings
import TidingsSQLite

extension Library {
    /// Changes the playback of an item and posts the change.
    ///
    /// After the return, the time of playing survives a kill of the program, but possibly not a
    /// power cut.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - change: The values to change.
    ///   - date: The time of the playing.
    /// - Returns: The playback after the change.
    /// - Throws: `LibraryError` with `.notFound` if the item does not exist.
    @discardableResult
    package func play(
        _ id: ItemID,
        _ change: PlaybackChange,
        at date: Date = Date()
    ) throws(LibraryError) -> Playback {
        let playback = try LibraryError.rethrowing { try journal.play(id, change, at: date) }
        guard let playback else { throw LibraryError(noItem: id) }
        return playback
    }

    /// Returns the finished items that a viewer can continue, the most recently played first.
    package func itemsInPlayback(limit: Int) throws(LibraryError) -> [MediaItem] {
        try LibraryError.rethrowing { try journal.items.itemsInPlayback(limit: limit) }
    }
}

extension ItemJournal {
    /// Commits a change of an item's playback, and posts the result if any value has changed.
    ///
    /// - Returns: The playback after the change, or nil if the item does not exist.
    func play(
        _ id: ItemID,
        _ change: PlaybackChange,
        at date: Date
    ) throws(SQLiteError) -> Playback? {
        try commit { registry throws(SQLiteError) in
            guard let (old, new) = try registry.play(id, change, at: date) else {
                return (nil, nil)
            }
            guard old != new else { return (new, nil) }
            return (new, { self.messages.post(PlaybackChanged(id: id, playback: new)) })
        }
    }
}
