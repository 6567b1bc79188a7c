// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Texts that a bus accepts, and texts about it.
enum BusText {
    /// What the system says of an error number.
    static func of(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }

    /// The text with what no message may carry, or no person can read, as U+FFFD.
    ///
    /// A zero ends a text for C, sd-bus refuses a whole message for a noncharacter, and other
    /// control characters have no place in a document with markup. Line ends become `\n`.
    static func readable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !isPlain($0) }) else { return text }
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\r": scalars.append("\n")
            case "\n" where previous == "\r": continue
            default: scalars.append(isPlain(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return String(scalars)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
