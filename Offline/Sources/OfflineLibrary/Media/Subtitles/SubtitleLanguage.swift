// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The names of a language, which never contain text from a server.
enum SubtitleLanguage {
    /// Returns the part of a file's name for a code of three letters, such as `en` for `eng`.
    static func fileNamePart(_ code: String?) -> String {
        guard let code else { return "und" }
        let short = Locale.LanguageCode(code).identifier(.alpha2) ?? code
        return short.wholeMatch(of: /[a-z]{2,3}/) == nil ? "und" : short
    }

    /// Returns the English name of a language for a person, such as `English` for `eng`.
    static func title(_ code: String?) -> String {
        let name = code.flatMap { code in
            Locale(identifier: "en_US").localizedString(forLanguageCode: fileNamePart(code))
        }
        guard let name, !name.isEmpty, name.allSatisfy({ $0.isLetter || " ()-".contains($0) }),
            name.count <= 40
        else { return code ?? "Subtitles" }
        return name
    }
}
