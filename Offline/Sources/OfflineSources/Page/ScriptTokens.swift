// SPDX-License-Identifier: Apache-2.0

/// Splits a script or JSON into strings, words and punctuation, in one pass over the bytes.
///
/// The scanner understands enough JavaScript to find strings and their names, and never fails.
struct ScriptTokens {
    enum Token: Hashable {
        case string(String)
        case word(String)
        /// A brace, bracket, parenthesis, colon, comma, equals sign or another character.
        case mark(UInt8)
    }

    /// The maximum length of a string.
    ///
    /// A longer string counts as empty.
    private static let longest = 4 << 20

    private let bytes: ArraySlice<UInt8>
    private var next: Int

    /// Creates the tokens of a script.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        next = bytes.startIndex
    }

    /// Returns the next token, or nil at the end.
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

    /// Skips a comment.
    ///
    /// A slash that does not start a comment stays.
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
            // An unclosed comment ends the script. Otherwise every such comment would be searched
            // to the end.
            next = end + 1 < bytes.endIndex ? end + 2 : bytes.endIndex
            return true
        default:
            return false
        }
    }

    /// Returns the string of a literal and moves behind the literal.
    ///
    /// A quotation mark without an end ends with the line.
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
