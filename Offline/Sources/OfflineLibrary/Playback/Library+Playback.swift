// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Tidings
import TidingsSQLite

extension Library {
    /// Changes the playback of an item and posts it.
    ///
    /// A time of playing survives a kill of the program when this returns, perhaps no power cut.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - change: The values to change.
    ///   - date: The time of the playing.
    /// - Returns: The playback after the change.
    /// - Throws: `LibraryError` with `.notFound` if there is no such item.
    @discardableResult
    package func play(
        _ id: ItemID,
        _ change: PlaybackChange,
        at date: Date = Date()
    ) throws(LibraryError) -> Playback {
        let playback: Playback?
        do {
            playback = try journal.play(id, change, at: date)
        } catch {
            throw LibraryError(error)
        }
        guard let playback else { throw LibraryError(noItem: id) }
        return playback
    }

    /// Returns the finished items that a person can continue, the last played first.
    package func itemsInPlayback(limit: Int) throws(LibraryError) -> [MediaItem] {
        do {
            return try journal.registry.itemsInPlayback(limit: limit)
        } catch {
            throw LibraryError(error)
        }
    }
}

extension ItemJournal {
    /// Commits a change of an item's playback and posts it, if it changes anything.
    ///
    /// - Returns: The playback after the change; nil if there is no such item.
    func play(
        _ id: ItemID,
        _ change: PlaybackChange,
        at date: Date
    ) throws(SQLiteError) -> Playback? {
        try commit { () throws(SQLiteError) in
            guard let (old, new) = try registry.play(id, change, at: date) else {
                return (nil, nil)
            }
            guard old != new else { return (new, nil) }
            return (new, { self.messages.post(PlaybackChanged(id: id, playback: new)) })
        }
    }
}
