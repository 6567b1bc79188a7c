// SPDX-License-Identifier: Apache-2.0

/// The choice of the parts of a stream that an item keeps.
///
/// The choice and the address together are the identity of the item.
package struct MediaChoice: Hashable, Sendable {
    /// The size of the pictures, or only the sound.
    package var quality: QualityChoice
    /// The languages of the sound.
    package var audio: LanguageChoice
    /// The languages of the subtitles.
    package var subtitles: LanguageChoice
    /// The part of the film, or nil for the whole film.
    package var chapters: ChapterRange?

    /// Creates a choice, which keeps everything in the best quality by default.
    package init(
        quality: QualityChoice = .best,
        audio: LanguageChoice = .all,
        subtitles: LanguageChoice = .all,
        chapters: ChapterRange? = nil
    ) {
        self.quality = quality
        self.audio = audio
        self.subtitles = subtitles
        self.chapters = chapters
    }

    /// Parses the strings of an option, a request or the registry, where nil stands for the
    /// default.
    ///
    /// - Throws: `PlaylistError` with `.noSuchQuality`, or `LibraryError` with `.invalidOption`.
    package init(
        quality: String?,
        audio: String?,
        subtitles: String?,
        chapters: String? = nil
    ) throws {
        self = try RequestedChoice(
            quality: quality,
            audio: audio,
            subtitles: subtitles,
            chapters: chapters
        ).choice()
    }
}

extension MediaChoice {
    /// Returns the notes about a file, which is kept as the server sends it.
    package func notes(onFileOf mediaType: String?) -> [String] {
        let isSound = mediaType?.hasPrefix("audio/") == true
        let facts: [String?] = [
            hasHeight && !isSound ? "in its only quality" : nil,
            quality == .audio && !isSound ? "with its pictures if it has any" : nil,
            audio == .all ? nil : "with all of its sound",
            subtitles.namesLanguages ? "with the subtitles that it has" : nil,
        ]
        let list = facts.compactMap(\.self).joined(separator: " and ")
        return list.isEmpty ? [] : ["The address is a file, which was kept as it came, \(list)."]
    }

    /// Returns this choice without the values that equal a default, because no user chose these
    /// values.
    package func beyond(_ defaults: MediaChoice) -> MediaChoice {
        var asked = self
        if quality == defaults.quality { asked.quality = .best }
        if audio == defaults.audio { asked.audio = .all }
        if subtitles == defaults.subtitles { asked.subtitles = .all }
        return asked
    }

    /// This choice for media whose quality is already chosen.
    package var withoutHeight: MediaChoice {
        var choice = self
        if hasHeight { choice.quality = .best }
        return choice
    }

    private var hasHeight: Bool {
        if case .height = quality { true } else { false }
    }

    /// The notes about a stream with only one quality and without names of languages.
    package var notesOnOneQuality: [String] {
        let height = hasHeight ? "The stream has one quality, which was kept." : nil
        let sound = audio.selection(of: [String](), language: \.self).missing
        let texts = subtitles.selection(of: [String](), language: \.self).missing
        return [
            height,
            LanguageChoice.note(sound, of: "sound", offering: []),
            LanguageChoice.note(texts, of: "subtitles", offering: []),
        ].compactMap { $0 }
    }
}
