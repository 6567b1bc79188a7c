// SPDX-License-Identifier: Apache-2.0

/// The words that a user searches for.
///
/// A search finds an item if the title, address and file name contain all words, or if the text of
/// the subtitles or of a text file contains all words.
///
/// A search finds a word at the beginning of a word, without regard to capitals and accents. A
/// search finds symbols, and words of scripts that write no spaces, anywhere in the title or the
/// file name.
package struct SearchWords: Hashable, Sendable {
    /// The maximum number of words.
    private static let maximumCount = 16
    /// The maximum size of all words in bytes.
    private static let maximumBytes = 1_000

    /// The words for the index.
    private var indexed: [String] = []
    /// The strings that the index does not find, because the index divides text at spaces.
    private var others: [String] = []

    /// Creates a search for no word, which finds all items.
    package init() {}

    /// Divides a text into words.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` for a text with too many words.
    package init(_ text: String) throws(LibraryError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count <= Self.maximumCount, text.utf8.count <= Self.maximumBytes else {
            throw LibraryError(
                .invalidOption,
                "The search has more than \(Self.maximumCount) words or \(Self.maximumBytes) bytes. "
                    + "Use fewer words."
            )
        }
        for word in words {
            let scalars = word.unicodeScalars.filter { $0.properties.generalCategory != .control }
            let clean = String(String.UnicodeScalarView(scalars))
            if clean.isEmpty { continue }
            if Self.isIndexed(scalars) { indexed.append(clean) } else { others.append(clean) }
        }
    }

    /// Whether the search finds all items.
    package var isEmpty: Bool { indexed.isEmpty && others.isEmpty }

    /// The expression for the index, or nil without a word for the index.
    ///
    /// Each word is in quotes, so that no character in a word is syntax, and stands for the
    /// beginning of a word.
    package var expression: String? {
        guard !indexed.isEmpty else { return nil }
        return indexed.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"*" }
            .joined(separator: " ")
    }

    /// The patterns for `LIKE` with the escape character `\`.
    package var patterns: [String] {
        others.map { word in
            let literal = word.map { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            return "%\(literal)%"
        }
    }

    /// Whether the index divides a word like a reader, because the word has letters and a script
    /// with spaces.
    private static func isIndexed(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        var hasLetters = false
        for scalar in scalars {
            if hasNoSpaces(scalar) { return false }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                hasLetters = true
            }
        }
        return hasLetters
    }

    /// Whether a character belongs to a script without spaces: Thai to Tibetan, Burmese, Khmer,
    /// Chinese and Japanese.
    private static func hasNoSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x312F, 0x31A0...0x9FFF,
            0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
