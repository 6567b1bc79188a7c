// SPDX-License-Identifier: Apache-2.0

/// The programs that find a sound in a film, and make a copy of the film with it.
struct SoundTools: Sendable {
    /// Finds a sound by its number, from 1; nil if there is none.
    var find: @Sendable (_ film: SoundCopies.Film, _ number: Int) async throws -> MediaTrack?
    /// Makes the copy of a film with one sound at a path.
    var make:
        @Sendable (_ film: SoundCopies.Film, _ sound: MediaTrack, _ path: String) async throws ->
            Void

    /// Creates the installed programs.
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
