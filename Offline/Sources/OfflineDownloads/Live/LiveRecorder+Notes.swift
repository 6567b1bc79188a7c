// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings

extension LiveRecorder {
    /// Returns the failure of a playlist if the recording can continue despite the failure.
    ///
    /// - Throws: A failure that interrupts the recording, such as a missing network.
    func bearable(_ error: any Error) throws -> DownloadError {
        let error = DownloadError(error)
        let codes: [DownloadError.Code] = [
            .cancelled, .offline, .diskFull, .disk, .database, .privateAddress,
        ]
        guard !codes.contains(error.code) else { throw error }
        try Task.checkCancellation()
        return error
    }

    /// Names the present gaps in the item's note, in place of the earlier gaps.
    func noteGaps() throws {
        let journal = environment.journal
        let sentences = GapNote.text(
            of: try journal.downloads.parts(of: id),
            in: try journal.downloads.tracks(of: id)
        )
        try note { GapNote.removed(from: $0).adding(sentences) }
    }

    /// Notes the time at which another set of tracks ended the recording.
    func noteOtherTracks() throws {
        let time = PlayTime.text(try recordedSeconds())
        try note {
            $0.adding(["The recording ended at \(time), because the stream has other tracks now."])
        }
    }

    /// Notes the time at which the stream was lost between two runs.
    func noteLoss(_ error: DownloadError) throws {
        let sentence = LiveEnd.gone.note(at: try recordedSeconds(), error.message)
        try note { $0.adding([sentence].compactMap { $0 }) }
    }

    private func recordedSeconds() throws -> Double {
        try environment.journal.downloads.recording(of: id).first?.seconds ?? 0
    }

    /// Changes the item's note.
    func note(_ change: (ItemNote) -> ItemNote) throws {
        guard let item = try environment.journal.items.item(id) else { return }
        let note = change(ItemNote(after: item.note))
        if note.text != item.note { try environment.journal.change(id, .set(\.note, note.text)) }
    }
}
