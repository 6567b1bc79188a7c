// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The choice of the languages of sound or subtitles to keep.
package enum LanguageChoice: Hashable, Sendable {
    /// All languages.
    case all
    /// No language.
    case none
    /// These languages in this order, as codes of three letters or names with a region such as
    /// `pt-br`.
    case only([String])

    /// The maximum number of languages to name.
    private static let limit = 16

    /// Parses `all`, `none`, or languages such as `en,pt-BR` or `German`.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` for any other text.
    package init(_ text: String) throws(LibraryError) {
        switch text.lowercased() {
        case "all": self = .all
        case "none": self = .none
        case let list:
            let names = list.split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0[...].trimmingSpaces) }
                .map { Self.isName($0) ? $0 : SubtitleLanguage.code(ofName: $0) ?? $0 }
            guard names.count <= Self.limit, names.allSatisfy(Self.isName) else {
                throw LibraryError(
                    .invalidOption,
                    "“\(text.prefix(40))” is no list of languages. Use codes such as “en,pt-BR”, "
                        + "or “all”."
                )
            }
            self = .only(Self.distinct(names.map(Self.key)))
        }
    }

    /// Parses `all`, or languages such as `en,pt-BR`.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` for any other text.
    package init(ofSound text: String) throws(LibraryError) {
        try self.init(text)
        guard self != .none else {
            throw LibraryError(
                .invalidOption,
                "A file without sound cannot be chosen. Name languages such as “en,de”, or “all”."
            )
        }
    }

    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}/) != nil
    }

    /// Returns the name by which a language is stored and compared.
    private static func key(_ name: String) -> String {
        name.contains("-") ? name : TrackDescription.languageCode(name) ?? name
    }

    private static func distinct(_ names: [String]) -> [String] {
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }
    }
}

extension LanguageChoice: CustomStringConvertible {
    /// The text that `init(_:)` parses.
    package var description: String {
        switch self {
        case .all: "all"
        case .none: "none"
        case .only(let names): names.joined(separator: ",")
        }
    }
}

extension LanguageChoice {
    /// Whether the choice names languages instead of all or none.
    var namesLanguages: Bool {
        if case .only = self { true } else { false }
    }

    /// The tracks to keep, and the languages that no track has.
    package struct Selection<Track> {
        /// The tracks to keep.
        package var kept: [Track]
        /// The names of the missing languages for display.
        package var missing: [String] = []
    }

    /// Chooses tracks by language, in the order of the choice.
    ///
    /// - Parameters:
    ///   - tracks: The tracks that a stream offers.
    ///   - language: Returns the name of a track's language in the stream, or nil without a name.
    /// - Returns: The tracks, and the languages that no track has.
    package func selection<Track>(
        of tracks: [Track],
        language: (Track) -> String?
    ) -> Selection<Track> {
        switch self {
        case .all: return Selection(kept: tracks)
        case .none: return Selection(kept: [])
        case .only(let names):
            var selection = Selection<Track>(kept: [])
            for name in names {
                let found = tracks.filter { language($0).map { Self.matches($0, name) } == true }
                if found.isEmpty { selection.missing.append(Self.title(name)) }
                selection.kept += found
            }
            return selection
        }
    }

    /// Returns the sentence about languages that a stream lacks.
    ///
    /// - Parameters:
    ///   - missing: The names of the missing languages.
    ///   - kind: “sound” or “subtitles”.
    ///   - offered: The names of the languages in the stream.
    /// - Returns: The sentence, or nil if no language is missing.
    package static func note(
        _ missing: [String],
        of kind: String,
        offering offered: [String?]
    ) -> String? {
        guard !missing.isEmpty else { return nil }
        let names = distinct(offered.compactMap { $0 }.map { title(key($0.lowercased())) })
        let list = names.prefix(16).joined(separator: ", ")
        let offer = names.isEmpty ? "It names no languages." : "It has: \(list)."
        return "The stream has no \(kind) in \(missing.joined(separator: ", ")). \(offer)"
    }

    private static func matches(_ language: String, _ name: String) -> Bool {
        let language = language.lowercased()
        return language == name || key(language) == name
            || !name.contains("-") && TrackDescription.languageCode(language) == name
    }

    /// Returns the name of a language for display, in which a server's text is shortened.
    private static func title(_ key: String) -> String {
        guard isName(key), let code = TrackDescription.languageCode(key) else {
            return Title(line: key, longest: 20, fallback: "unknown").text
        }
        let name = SubtitleLanguage.title(code)
        return key.contains("-") ? "\(name) (\(key))" : name
    }
}
