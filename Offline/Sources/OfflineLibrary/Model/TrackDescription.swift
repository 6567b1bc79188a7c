// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The content that a file keeps of a track, and its language.
struct TrackDescription: Hashable, Sendable {
    /// The content that a file keeps of a track.
    enum Content: String, Hashable, Sendable {
        /// Its pictures and its sound.
        case everything
        /// Its pictures; the sound is in other tracks.
        case pictures
        /// Its sound.
        case sound
        /// Its texts, which are shown over the pictures.
        case subtitles

        /// Whether the file keeps no pictures of the track.
        var hasNoPictures: Bool { self == .sound || self == .subtitles }
    }

    /// The content that the file keeps.
    var content = Content.everything
    /// The code of the language of its sound or its texts, three letters of ISO 639-2; nil if it is
    /// unknown.
    var language: String?

    /// Whether a player shows the texts unless the user chooses otherwise.
    var isDefault = false
    /// Whether the texts translate only what viewers of the original language understand, too.
    var isForced = false
    /// The name for a person, one line; nil without one.
    var name: String?
    /// The purpose beside other tracks of the language; nil for a usual track.
    var purpose: TrackPurpose?

    /// The largest number of characters of a name.
    static let longestName = 40

    /// Returns a name that a playlist or a manifest states, as one line; nil if it is empty.
    static func name(_ text: String?) -> String? {
        let name = Title(line: text ?? "", longest: longestName, fallback: "").text
        return name.isEmpty ? nil : name
    }

    /// The mark in the name of a file with its subtitles; nil for usual ones.
    var mark: String? {
        isForced ? "forced" : purpose == .transcribesDialog ? "sdh" : nil
    }

    /// The text for a person, such as `sound “English”`.
    var text: String {
        let kind =
            switch content {
            case .everything: "film"
            case .pictures: "pictures"
            case .sound: "sound"
            case .subtitles: "subtitles"
            }
        let name = self.name ?? language.map { SubtitleLanguage.title($0) }
        return name.map { "\(kind) “\($0)”" } ?? kind
    }

    /// Returns the code of a language that a playlist names, such as `eng` for `en-US`.
    ///
    /// - Returns: Three lowercase letters, whatever the text is; nil if it names no language.
    static func languageCode(_ text: String) -> String? {
        let code = Locale.Language(identifier: text).languageCode?.identifier(.alpha3)
        return (code ?? text.lowercased()).wholeMatch(of: /[a-z]{3}/).map { String($0.output) }
    }
}

extension [TrackDescription] {
    /// Whether the item is subtitles alone, without pictures and sound.
    var areTextsAlone: Bool { !isEmpty && allSatisfy { $0.content == .subtitles } }
}
