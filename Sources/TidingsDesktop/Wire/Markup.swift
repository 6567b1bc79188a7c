// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Prevents characters of a text from having a meaning in markup.
enum Markup {
    /// Returns the text with look-alikes of the characters that start markup.
    ///
    /// A reader of markup and a reader of plain text display the same result.
    static func avoided(_ text: String) -> String {
        var avoided = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": avoided.append("\u{FF06}")
            case "<": avoided.append("\u{FF1C}")
            default: avoided.append(scalar)
            }
        }
        return String(avoided)
    }

    /// Returns the text as markup that displays the text unchanged.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
#endif
