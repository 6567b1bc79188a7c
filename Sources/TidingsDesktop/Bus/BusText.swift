// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Glibc
internal import TidingsUserNotifications

/// Converts text for the bus.
enum BusText {
    /// Returns the system's description of an `errno` value.
    static func errorDescription(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }

    /// Replaces characters that a message may not contain, or that are unreadable, with U+FFFD.
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

    /// Returns the start of a text that is longer than a limit in bytes of UTF-8.
    ///
    /// A message with a very long text would end the connection to the bus.
    static func cut(_ text: String, at limit: Int = UserNotification.textLimit) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit - ellipsis.utf8.count)
        while end.samePosition(in: text.unicodeScalars) == nil { text.utf8.formIndex(before: &end) }
        return text[..<end] + ellipsis
    }

    private static let ellipsis = "…"

    /// Returns a readable text without line breaks, cut at the limit.
    ///
    /// A daemon may list titles and labels in a menu with one entry on each line.
    static func line(_ text: String) -> String {
        let text = cut(text)
        guard text.unicodeScalars.contains(where: isLineBreak) else { return readable(text) }
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\n", previous == "\r" { continue }
            scalars.append(isLineBreak(scalar) ? " " : scalar)
        }
        return readable(String(scalars))
    }

    /// Returns a readable text of several lines, cut at the limit.
    static func lines(_ text: String) -> String { readable(cut(text)) }

    /// Returns the text below the title: the subtitle on the first line, then the body.
    static func text(of content: UserNotificationContent) -> String {
        [line(content.subtitle), lines(content.body)].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
#endif
