// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

extension Library {
    /// Stops the recording of a live stream; its file is made of the segments until now.
    ///
    /// Also finishes a paused or failed recording. A recording that is over stays unchanged.
    ///
    /// - Throws: `LibraryError` with `.notRecording` for any other item, and for a recording that
    ///   has not begun.
    package func stopRecording(_ id: ItemID) async throws(LibraryError) -> MediaItem {
        let item = try item(id)
        let stopped: MediaItem?
        do {
            guard var live = item.live, item.state != .ready, item.state != .missing,
                try !journal.registry.recording(of: id).isEmpty
            else {
                throw LibraryError(
                    .notRecording,
                    "Item \(id) is not being recorded: its state is \(item.state.rawValue)."
                )
            }
            live.isOver = true
            let isWaiting = item.state == .paused || item.state == .failed
            stopped = try space.commit { () throws(SQLiteError) in
                isWaiting
                    ? try journal.move(id, .retry, .live(live), .failure(nil))
                    : try journal.change(id, .live(live))
            }
        } catch let error as LibraryError {
            throw error
        } catch {
            throw LibraryError(error)
        }
        await queue?.admit(id)
        return stopped ?? item
    }
}
