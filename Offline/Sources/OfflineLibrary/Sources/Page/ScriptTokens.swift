// SPDX-License-Identifier: Apache-2.0

/// Splits a script or JSON into strings, words and punctuation, in one pass over its bytes.
///
/// It understands enough of JavaScript to find texts and their names, and never fails.
struct ScriptTokens {
    enum Token: Hashable {
        case string(String)
        case word(String)
        /// A brace, bracket, parenthesis, colon, comma, equals sign or another character.
        case mark(UInt8)
    }

    /// The maximum length of a text; a longer one counts as empty.
    private static let longest = 4 << 20

    private let bytes: ArraySlice<UInt8>
    private var next: Int

    /// Creates the tokens of a text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        next = bytes.startIndex
    }

    /// Returns the next token; nil at the end.
    mutating func token() -> Token? {
        while next < bytes.endIndex {
            let byte = bytes[next]
            switch byte {
            case 0...0x20:
                next += 1
            case UInt8(ascii: "/"):
                guard !skipComment() else { continue }
                next += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
                return .string(string(endingAt: byte))
            case _ where Self.isWord(byte):
                let start = next
                while next < bytes.endIndex, Self.isWord(bytes[next]) { next += 1 }
                return .word(String(decoding: bytes[start..<min(next, start + 64)], as: UTF8.self))
            default:
                next += 1
                return .mark(byte)
            }
        }
        return nil
    }

    /// Skips a comment; a slash that begins none stays.
    private mutating func skipComment() -> Bool {
        guard next + 1 < bytes.endIndex else { return false }
        switch bytes[next + 1] {
        case UInt8(ascii: "/"):
            while next < bytes.endIndex, bytes[next] != 0x0a { next += 1 }
            return true
        case UInt8(ascii: "*"):
            var end = next + 2
            while end + 1 < bytes.endIndex, bytes[end] != 0x2a || bytes[end + 1] != 0x2f {
                end += 1
            }
            // An unclosed comment is none; without the limit each one would be searched to the end.
            next = end + 1 < bytes.endIndex ? end + 2 : bytes.endIndex
            return true
        default:
            return false
        }
    }

    /// Returns the text of a literal and moves behind it; a quotation mark without an end ends
    /// with its line.
    private mutating func string(endingAt mark: UInt8) -> String {
        next += 1
        let start = next
        var hasEscape = false
        while next < bytes.endIndex, bytes[next] != mark {
            if bytes[next] == 0x0a, mark != UInt8(ascii: "`") { break }
            if bytes[next] == 0x5c {
                hasEscape = true
                next += 1
            }
            next += 1
        }
        let end = min(next, bytes.endIndex)
        next = min(end + 1, bytes.endIndex)
        guard end - start <= Self.longest else { return "" }
        let content = bytes[start..<end]
        return hasEscape ? Self.unescaped(content) : String(decoding: content, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            UInt8(ascii: "."), 0x80...:
            true
        default:
            false
        }
    }
}
