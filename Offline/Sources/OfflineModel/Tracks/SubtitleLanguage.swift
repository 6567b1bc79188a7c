// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The names of a language, which never contain text from a server.
package enum SubtitleLanguage {
    /// The two-letter codes by the names of the languages, in English and in each language itself.
    private static let codes: [String: String] = {
        let english = Locale(identifier: "en_US")
        var codes: [String: String] = [:]
        for code in Locale.LanguageCode.isoLanguageCodes.map(\.identifier) where code.count == 2 {
            for locale in [english, Locale(identifier: code)] {
                guard let name = locale.localizedString(forLanguageCode: code) else { continue }
                codes[name.lowercased()] = codes[name.lowercased()] ?? code
            }
            codes[code] = code
        }
        return codes
    }()

    /// Returns the code of the language in a label, such as `de` for `Deutsch` or `German (auto)`,
    /// or nil if the label starts with no known language.
    package static func code(named label: String) -> String? {
        let label = label.prefix(64).lowercased()
        let word = label.prefix { $0.isLetter }
        return code(ofName: label) ?? code(ofName: String(word))
    }

    /// Returns the code of a language's name in lowercase letters, such as `de` for `deutsch`.
    static func code(ofName name: String) -> String? { codes[name] }

    /// Returns the language in a file's name, such as `de` for `film.de.vtt` or `de.vtt`.
    package static func code(inFileName name: String) -> String? {
        guard
            let match = name.suffix(64).lowercased()
                .firstMatch(of: /(?:^|[._\-])([a-z]{2})\.(?:vtt|srt)$/)
        else { return nil }
        return codes[String(match.1)]
    }

    /// Returns the part of a file's name for a code of three letters, such as `en` for `eng`.
    package static func fileNamePart(_ code: String?) -> String {
        guard let code else { return "und" }
        let short = Locale.LanguageCode(code).identifier(.alpha2) ?? code
        return short.wholeMatch(of: /[a-z]{2,3}/) == nil ? "und" : short
    }

    /// Returns the English name of a language for viewers, such as `English` for `eng`.
    package static func title(_ code: String?) -> String {
        let name = code.flatMap { code in
            Locale(identifier: "en_US").localizedString(forLanguageCode: fileNamePart(code))
        }
        guard let name, !name.isEmpty, name.allSatisfy({ $0.isLetter || " ()-".contains($0) }),
            name.count <= 40
        else { return code ?? "Subtitles" }
        return name
    }
}
