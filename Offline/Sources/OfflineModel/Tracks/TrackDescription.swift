// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The content that a file keeps of a track, and the language of the content.
package struct TrackDescription: Hashable, Sendable {
    /// The content that a file keeps of a track.
    package enum Content: String, Hashable, Sendable {
        /// The pictures and the sound.
        case everything
        /// The pictures without the sound, which is in other tracks.
        case pictures
        /// The sound.
        case sound
        /// The text, which players show over the pictures.
        case subtitles

        /// Whether the file keeps no pictures of the track.
        package var hasNoPictures: Bool { self == .sound || self == .subtitles }
    }

    /// The content that the file keeps.
    package var content = Content.everything
    /// The language of the sound or the text, as a code of three letters (ISO 639-2), or nil if
    /// unknown.
    package var language: String?

    /// Whether a player shows the text unless the viewer chooses otherwise.
    package var isDefault = false
    /// Whether the text translates only the parts that viewers of the original language also
    /// understand.
    package var isForced = false
    /// The name for viewers as one line, or nil without a name.
    package var name: String?
    /// The purpose beside other tracks of the language, or nil for a usual track.
    package var purpose: TrackPurpose?

    /// Creates a description.
    package init(
        content: Content = Content.everything,
        language: String? = nil,
        isDefault: Bool = false,
        isForced: Bool = false,
        name: String? = nil,
        purpose: TrackPurpose? = nil
    ) {
        self.content = content
        self.language = language
        self.isDefault = isDefault
        self.isForced = isForced
        self.name = name
        self.purpose = purpose
    }

    /// The largest number of characters of a name.
    package static let longestName = 40

    /// Returns a name that a playlist or a manifest states as one line, or nil for an empty name.
    package static func name(_ text: String?) -> String? {
        let name = Title(line: text ?? "", longest: longestName, fallback: "").text
        return name.isEmpty ? nil : name
    }

    /// The mark in the name of a file with subtitles, or nil for usual subtitles.
    package var mark: String? {
        isForced ? "forced" : purpose == .transcribesDialog ? "sdh" : nil
    }

    /// The text for viewers, such as `sound “English”`.
    package var text: String {
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
    /// - Returns: Three lowercase letters, whatever the text is, or nil if the text names no
    ///   language.
    package static func languageCode(_ text: String) -> String? {
        let code = Locale.Language(identifier: text).languageCode?.identifier(.alpha3)
        return (code ?? text.lowercased()).wholeMatch(of: /[a-z]{3}/).map { String($0.output) }
    }
}

extension [TrackDescription] {
    /// Whether the item consists of subtitles alone, without pictures and sound.
    package var areTextsAlone: Bool { !isEmpty && allSatisfy { $0.content == .subtitles } }
}
