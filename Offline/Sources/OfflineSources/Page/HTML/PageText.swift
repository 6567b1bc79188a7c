// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import TidingsHTTP

/// The text of a page, decoded as browsers decode pages.
///
/// A byte order mark takes precedence over the server, and the server over the page. Without any of
/// these, the encoding is UTF-8, or windows-1252 if the bytes are not valid UTF-8.
enum PageText {
    /// The number of bytes in which a page must declare its encoding.
    private static let declarationLength = 4_096

    /// Returns the text of a page.
    ///
    /// - Parameters:
    ///   - bytes: The body of the response.
    ///   - charset: The charset that the server states, or nil if the server states none.
    /// - Returns: The text without NUL characters, with a replacement for invalid bytes.
    static func decode(_ bytes: [UInt8], charset: String?) -> String {
        let text = decoded(bytes, charset)
        guard text.utf8.contains(0) else { return text }
        return String(decoding: text.utf8.lazy.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func decoded(_ bytes: [UInt8], _ charset: String?) -> String {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            return String(decoding: bytes.dropFirst(3), as: UTF8.self)
        }
        if bytes.starts(with: [0xff, 0xfe]) { return utf16(bytes.dropFirst(2), isBig: false) }
        if bytes.starts(with: [0xfe, 0xff]) { return utf16(bytes.dropFirst(2), isBig: true) }
        // A page with a readable declaration of UTF-16 is not in UTF-16.
        let declared = declaredCharset(bytes.prefix(declarationLength))
            .map { $0.hasPrefix("utf-16") ? "utf-8" : $0 }
        switch charset?.lowercased() ?? declared {
        case nil:
            return String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
        case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252":
            return windows1252(bytes)
        case "utf-16le", "utf-16":
            return utf16(bytes[...], isBig: false)
        case "utf-16be":
            return utf16(bytes[...], isBig: true)
        case let name?:
            guard let encoding = encodings[name] else {
                return String(decoding: bytes, as: UTF8.self)
            }
            return String(data: Data(bytes), encoding: encoding)
                ?? String(decoding: bytes, as: UTF8.self)
        }
    }

    private static let encodings: [String: String.Encoding] = [
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "windows-1253": .windowsCP1253,
        "windows-1254": .windowsCP1254, "iso-8859-9": .windowsCP1254,
        "shift_jis": .shiftJIS, "shift-jis": .shiftJIS, "euc-jp": .japaneseEUC,
        "iso-2022-jp": .iso2022JP,
    ]

    /// Returns the value of the first `charset=` in the bytes.
    private static func declaredCharset(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self)
        guard let range = text.range(of: "charset=", options: .caseInsensitive) else { return nil }
        let name = text[range.upperBound...].drop { "\"' ".contains($0) }
            .prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return name.isEmpty ? nil : name.lowercased()
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> String {
        let start = bytes.startIndex
        let units = (0..<bytes.count / 2).lazy.map { index in
            let first = UInt16(bytes[start + 2 * index])
            let second = UInt16(bytes[start + 2 * index + 1])
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(decoding: Array(units), as: UTF16.self)
    }

    private static func windows1252(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80..<0xa0).contains(byte) ? high[Int(byte) - 0x80] : .init(byte))
        }
        return String(text)
    }

    /// The characters of the bytes 0x80 to 0x9f.
    private static let high = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars
    )
}

extension HTTPResponseHead {
    /// The charset of the body, or nil if the server states none.
    package var charset: String? {
        guard let value = headers.first("Content-Type") else { return nil }
        for parameter in value.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map(\.trimmingSpaces)
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            let name = parts[1].filter { $0 != "\"" && $0 != "'" }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }
}
