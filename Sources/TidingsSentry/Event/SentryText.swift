// SPDX-License-Identifier: Apache-2.0

/// Cuts strings to the length that servers keep, and replaces characters that servers refuse.
enum SentryText {
    /// The character at the place of a cut.
    private static let mark: Unicode.Scalar = "…"
    /// The character that replaces a control character.
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Returns the start of a text with line breaks, in at most `limit` code points.
    static func lines(_ text: String, limit: Int) -> String {
        cut(text[...], limit: limit) { scalar in
            switch scalar {
            case "\n", "\t": scalar
            case "\r": " "
            default: plain(scalar)
            }
        }
    }

    /// Returns the start of a text as one line, without surrounding white space.
    static func line(_ text: String, limit: Int) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.firstIndex { !isSpace($0) } ?? scalars.endIndex
        let cut = cut(text[start...], limit: limit) { isBreak($0) ? " " : plain($0) }
        let end = cut.unicodeScalars.lastIndex { !isSpace($0) }
        return end.map { String(cut.unicodeScalars[...$0]) } ?? ""
    }

    /// Returns the end of a text, for paths and output, which are more useful at the end.
    static func end(_ text: String, limit: Int) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.index(scalars.endIndex, offsetBy: -limit, limitedBy: scalars.startIndex)
        guard let start, start > scalars.startIndex else { return lines(text, limit: limit) }
        // One place is left for the mark.
        let rest = lines(String(scalars[scalars.index(after: start)...]), limit: limit)
        return String(String.UnicodeScalarView([mark])) + rest
    }

    /// Returns at most `limit` bytes, without splitting a code point.
    static func bytes(_ text: String, limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }

    static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || isBreak(scalar)
    }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.value < 0x20 || scalar.value == 0x7F ? replacement : scalar
    }

    /// Cuts between grapheme clusters, unless the first one alone exceeds the limit.
    private static func cut(
        _ text: Substring,
        limit: Int,
        _ transform: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        let scalars = text.unicodeScalars
        var result = String.UnicodeScalarView()
        guard
            let last = scalars.index(
                scalars.startIndex,
                offsetBy: limit,
                limitedBy: scalars.endIndex
            ),
            last < scalars.endIndex
        else {
            result.append(contentsOf: scalars.lazy.map(transform))
            return String(result)
        }
        guard limit > 0 else { return "" }
        // The last place is for the mark. A single character can exceed the limit.
        var stop = text.startIndex
        var count = 0
        while true {
            let next = text.index(after: stop)
            count += scalars.distance(from: stop, to: next)
            guard count < limit else { break }
            stop = next
        }
        if stop == text.startIndex { stop = scalars.index(before: last) }
        result.append(contentsOf: scalars[..<stop].lazy.map(transform))
        result.append(mark)
        return String(result)
    }
}
