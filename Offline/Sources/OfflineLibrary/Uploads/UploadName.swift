// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The name that a person's file has on the device that sends it.
struct UploadName: Hashable, Sendable {
    /// One line without folders and control characters; empty if nothing is left of the name.
    let text: String

    /// Takes the last part of a name that may contain anything.
    init(_ raw: String) {
        let last = raw.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let end = (last as NSString).pathExtension
        // A name that is too long keeps its extension, by which media are recognized.
        let ending = Self.isUsual(end) ? ".\(end)" : ""
        let stem = Title(line: String(last.dropLast(ending.count)), fallback: "").text
        let hasWord = stem.unicodeScalars.contains { !($0 == "." || $0 == "-" || $0 == " ") }
        text = hasWord ? stem + ending : ""
    }

    /// Returns the extension for the file: that of its name, unless it hides media.
    func fileExtension(_ kind: ContentKind) -> String {
        let end = (text as NSString).pathExtension
        let isHidden = kind.isMedia && ContentKind(mediaFileName: text) == nil
        return Self.isUsual(end) && !isHidden ? end : kind.fileExtension
    }

    private static func isUsual(_ end: String) -> Bool {
        end.wholeMatch(of: /[A-Za-z0-9]{1,5}/) != nil
    }
}
