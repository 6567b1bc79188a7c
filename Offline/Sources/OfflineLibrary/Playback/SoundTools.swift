// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The tools that find a sound in a film and make a copy of the film with this sound.
struct SoundTools: Sendable {
    /// Finds a sound by number, starting at 1, or returns nil if the film has no such sound.
    var find: @Sendable (_ film: SoundCopies.Film, _ number: Int) async throws -> MediaTrack?
    /// Makes the copy of a film with one sound at a path.
    var make:
        @Sendable (_ film: SoundCopies.Film, _ sound: MediaTrack, _ path: String) async throws ->
            Void

    /// Uses the installed programs.
    init(_ muxer: SoundMuxer = SoundMuxer()) {
        find = { film, number in
            let sounds = try await muxer.sounds(of: film.path)
            return sounds.indices.contains(number - 1) ? sounds[number - 1] : nil
        }
        make = { film, sound, path in
            try await muxer.copy(film.path, sound: sound, mediaType: film.mediaType, into: path)
        }
    }
}
