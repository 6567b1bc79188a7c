// SPDX-License-Identifier: Apache-2.0
import Tidings

extension LiveRecorder {
    /// Returns the failure of a playlist that the recording outlasts.
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

    /// Names the present gaps on the item in place of the earlier ones.
    func noteGaps() throws {
        let registry = environment.journal.registry
        let sentences = GapNote.text(
            of: try registry.parts(of: id),
            in: try registry.tracks(of: id)
        )
        try note { GapNote.removed(from: $0).adding(sentences) }
    }

    /// Names the time at which another set of tracks ended the recording.
    func noteOtherTracks() throws {
        let time = PlayTime.text(try recordedSeconds())
        try note {
            $0.adding(["The recording ended at \(time), because the stream has other tracks now."])
        }
    }

    /// Names the time at which the stream was lost between two runs.
    func noteLoss(_ error: DownloadError) throws {
        let sentence = LiveEnd.gone.note(at: try recordedSeconds(), error.message)
        try note { $0.adding([sentence].compactMap { $0 }) }
    }

    private func recordedSeconds() throws -> Double {
        try environment.journal.registry.recording(of: id).first?.seconds ?? 0
    }

    /// Changes the item's note.
    func note(_ change: (ItemNote) -> ItemNote) throws {
        guard let item = try environment.journal.registry.item(id) else { return }
        let note = change(ItemNote(after: item.note))
        if note.text != item.note { try environment.journal.change(id, .note(note.text)) }
    }
}
