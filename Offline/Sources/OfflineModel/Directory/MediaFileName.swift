// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The name of a finished file, which is the item's title in a form that every file system can
/// store.
package struct MediaFileName: Hashable, Sendable {
    /// The longest title in bytes.
    ///
    /// A name has at most 255 bytes, which include a number, a language and an extension.
    private static let longest = 200

    private let title: String
    private let fileExtension: String
    /// The number of the first name to try.
    package private(set) var firstNumber = 1

    /// Creates the name of an item.
    ///
    /// - Parameters:
    ///   - title: The title of the item, which may come from a server.
    ///   - id: The item, whose number replaces a title without a usable character.
    ///   - fileExtension: The extension, from a fixed list.
    package init(title: String, of id: ItemID, extension fileExtension: String) {
        let clean = Self.clean(title)
        let text = clean.isEmpty ? id.description : clean
        // `Film.en.vtt` is the name of the subtitles beside `Film.mp4`.
        self.title = fileExtension == "vtt" ? text.replacing(".", with: "-") : text
        self.fileExtension = fileExtension
    }

    /// Skips the names whose stems, in lowercase letters, belong to other files.
    package mutating func avoid(_ stems: Set<String>) {
        while stems.contains(stem(firstNumber).lowercased()) { firstNumber += 1 }
    }

    /// Returns whether a file's name is one of these names, with any number.
    package func includes(_ name: String) -> Bool {
        let end = ".\(fileExtension)"
        guard name.hasPrefix(title), name.hasSuffix(end), name != end else { return false }
        let number = name.dropFirst(title.count).dropLast(end.count)
        return number.isEmpty || number.wholeMatch(of: /\ \([0-9]{1,9}\)/) != nil
    }

    /// Returns the name without the extension, where every name after the first has a number.
    package func stem(_ number: Int) -> String { number == 1 ? title : "\(title) (\(number))" }

    /// Returns the name, where every name after the first has a number.
    package func text(_ number: Int) -> String { "\(stem(number)).\(fileExtension)" }

    private static func clean(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in title.precomposedStringWithCanonicalMapping.unicodeScalars {
            if let replacement = replacement(of: scalar) { scalars.append(replacement) }
        }
        let text = limited(trimmed(String(scalars)))
        return isReserved(text) ? "\(text)_" : text
    }

    /// Returns the scalar to store, or nil for a scalar that no name should have.
    private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "/", "\\", ":", "|": "-"
        case "\"": "'"
        case "<": "("
        case ">": ")"
        case "?", "*": nil
        default: scalar.properties.generalCategory.isHidden ? nil : scalar
        }
    }

    /// Returns the text without unsuitable characters at both ends.
    ///
    /// These are spaces at both ends, the dots and dashes with which hidden files and options
    /// start, and the dots at the end that Windows removes.
    private static func trimmed(_ text: String) -> String {
        // The method compares scalars, because a mark can turn a dot into another character.
        let start = text.unicodeScalars.drop { scalar in
            scalar.properties.isWhitespace || scalar == "." || scalar == "-"
                || scalar.properties.generalCategory == .nonspacingMark
        }
        let end = start.lastIndex { !($0.properties.isWhitespace || $0 == ".") }
        return end.map { String(start[...$0]) } ?? ""
    }

    private static func limited(_ text: String) -> String {
        guard text.utf8.count > longest else { return text }
        var count = 0
        // The loop counts scalars, because one character may consist of any number of scalars.
        let scalars = text.unicodeScalars.prefix { scalar in
            count += String(scalar).utf8.count
            return count <= longest
        }
        return trimmed(String(String.UnicodeScalarView(scalars)))
    }

    /// Returns whether Windows uses the name for a device, with any extension.
    private static func isReserved(_ text: String) -> Bool {
        text.prefix { $0 != "." }.uppercased()
            .wholeMatch(of: /(CON|PRN|AUX|NUL|(COM|LPT)[0-9])\s*/) != nil
    }
}

extension Unicode.GeneralCategory {
    /// Whether a scalar of this category is invisible, such as a control character or a direction
    /// mark.
    var isHidden: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            true
        default: false
        }
    }
}
