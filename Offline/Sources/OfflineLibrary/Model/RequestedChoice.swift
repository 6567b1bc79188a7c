// SPDX-License-Identifier: Apache-2.0

/// What a request says about the media to keep; the settings decide about the rest.
package struct RequestedChoice: Hashable, Sendable {
    /// The size of the pictures, or the sound alone; nil for that of the settings.
    package var quality: QualityChoice?
    /// The languages of the sound; nil for those of the settings.
    package var audio: LanguageChoice?
    /// The languages of the subtitles; nil for those of the settings.
    package var subtitles: LanguageChoice?
    /// The part of the film; nil for the whole one.
    package var chapters: ChapterRange?

    /// Leaves everything to the settings.
    package init() {}

    /// Leaves nothing to the settings.
    package init(_ choice: MediaChoice) {
        quality = choice.quality
        audio = choice.audio
        subtitles = choice.subtitles
        chapters = choice.chapters
    }

    /// Parses the texts of an option or a request; nil leaves a part to the settings.
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

    /// Returns the choice, whose other parts are those of the settings.
    package func choice(else settings: MediaChoice = MediaChoice()) -> MediaChoice {
        MediaChoice(
            quality: quality ?? settings.quality,
            audio: audio ?? settings.audio,
            subtitles: subtitles ?? settings.subtitles,
            chapters: chapters
        )
    }
}
