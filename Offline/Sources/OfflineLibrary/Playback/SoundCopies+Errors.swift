// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

extension SoundCopies {
    /// The error of a copy that the end of the process interrupts.
    static let stopping = LibraryError(
        .unavailable,
        "The server is stopping. Start it, then choose the sound again."
    )

    /// Returns the error of a sound that a film does not have.
    static func noSound(_ number: Int, of item: ItemID) -> LibraryError {
        LibraryError(
            .notFound,
            "Item \(item) has no sound \(number). Its tracks with sound count from 1."
        )
    }

    /// Returns the error of a copy that was not made.
    static func failure(_ error: any Error, of item: ItemID) -> LibraryError {
        guard let error = error as? MediaError else { return LibraryError(error) }
        switch error.code {
        case .toolMissing: return LibraryError(.toolMissing, error.message, cause: error)
        case .noSpace: return LibraryError(.diskFull, error.message, cause: error)
        case .cannotRead, .notMedia, .incomplete, .formatChanges, .wrongKey, .tooLarge, .timedOut,
            .failed, .cancelled:
            let remedy = "Try again, or save a copy of the film for another player."
            // Messages with the other codes already end with a remedy.
            let isOpen = ![.cannotRead, .timedOut].contains(error.code)
            let reason = isOpen ? error.message(remedy: remedy) : error.message
            return LibraryError(
                .unreadableSound,
                "The sound of item \(item) cannot be changed. \(reason)",
                cause: error
            )
        }
    }
}
