// SPDX-License-Identifier: Apache-2.0

/// The choice of media that a request states, while the settings decide about the rest.
package struct RequestedChoice: Hashable, Sendable {
    /// The size of the pictures or only the sound, or nil for the quality in the settings.
    package var quality: QualityChoice?
    /// The languages of the sound, or nil for the languages in the settings.
    package var audio: LanguageChoice?
    /// The languages of the subtitles, or nil for the languages in the settings.
    package var subtitles: LanguageChoice?
    /// The part of the film, or nil for the whole film.
    package var chapters: ChapterRange?

    /// Creates a choice that leaves everything to the settings.
    package init() {}

    /// Creates a choice that leaves nothing to the settings.
    package init(_ choice: MediaChoice) {
        quality = choice.quality
        audio = choice.audio
        subtitles = choice.subtitles
        chapters = choice.chapters
    }

    /// Parses the strings of an option or a request, where nil leaves a part to the settings.
    ///
    /// - Throws: `PlaylistError` with `.noSuchQuality`, or `LibraryError` with `.invalidOption`.
    package init(quality: String?, audio: String?, subtitles: String?, chapters: String?) throws {
        self.quality = try quality.map { text throws(PlaylistError) in try QualityChoice(text) }
        self.audio = try audio.map { text throws(LibraryError) in
            try LanguageChoice(ofSound: text)
        }
        self.subtitles = try subtitles.map { text throws(LibraryError) in try LanguageChoice(text) }
        self.chapters = try chapters.map { text throws(LibraryError) in try ChapterRange(text) }
    }

    /// Returns the choice, with all other parts from the settings.
    package func choice(else settings: MediaChoice = MediaChoice()) -> MediaChoice {
        MediaChoice(
            quality: quality ?? settings.quality,
            audio: audio ?? settings.audio,
            subtitles: subtitles ?? settings.subtitles,
            chapters: chapters
        )
    }
}
