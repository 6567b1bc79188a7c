// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineModel
import OfflineStore
import TidingsSQLite

extension Library {
    /// Stops the recording of a live stream, and makes the file from the segments recorded so far.
    ///
    /// This method also finishes a paused or failed recording. A recording that is over stays
    /// unchanged.
    ///
    /// - Throws: `LibraryError` with `.notRecording` for any other item, and for a recording that
    ///   has not started.
    package func stopRecording(_ id: ItemID) async throws(LibraryError) -> MediaItem {
        let item = try item(id)
        let stopped = try LibraryError.rethrowing {
            guard var live = item.live, item.state != .ready, item.state != .missing,
                try !journal.downloads.recording(of: id).isEmpty
            else {
                throw LibraryError(
                    .notRecording,
                    "Item \(id) is not being recorded: its state is \(item.state.rawValue)."
                )
            }
            live.isOver = true
            let isWaiting = item.state == .paused || item.state == .failed
            return try space.commit { () throws(SQLiteError) in
                isWaiting
                    ? try journal.move(id, .retry, with: .set(\.live, live), .set(\.error, nil))
                    : try journal.change(id, .set(\.live, live))
            }
        }
        await queue.admit(id)
        return stopped ?? item
    }
}
