// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Converts text for the bus.
enum BusText {
    /// Returns the system's description of an `errno` value.
    static func errorDescription(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }

    /// Replaces characters that a message may not contain or a person cannot read with U+FFFD.
    ///
    /// NUL ends a C string, sd-bus rejects a message with a noncharacter, and control characters
    /// are invalid in markup. Line endings become `\n`.
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
