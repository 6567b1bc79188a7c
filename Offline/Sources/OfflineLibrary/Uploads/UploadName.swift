// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel

/// The name of an uploaded file on the user's device.
struct UploadName: Hashable, Sendable {
    /// One line without folders and control characters, or an empty string if nothing is left.
    let text: String

    /// Uses the last path component of a name, which may contain anything.
    init(_ raw: String) {
        let last = raw.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let end = (last as NSString).pathExtension
        // A name that is too long keeps the extension, because the extension identifies media.
        let ending = Self.isUsual(end) ? ".\(end)" : ""
        let stem = Title(line: String(last.dropLast(ending.count)), fallback: "").text
        let hasWord = stem.unicodeScalars.contains { !($0 == "." || $0 == "-" || $0 == " ") }
        text = hasWord ? stem + ending : ""
    }

    /// Returns the extension of the name, or the extension of the kind if the name's is unusual or
    /// hides media.
    func fileExtension(_ kind: ContentKind) -> String {
        let end = (text as NSString).pathExtension
        let isHidden = kind.isMedia && ContentKind(mediaFileName: text) == nil
        return Self.isUsual(end) && !isHidden ? end : kind.fileExtension
    }

    private static func isUsual(_ end: String) -> Bool {
        end.wholeMatch(of: /[A-Za-z0-9]{1,5}/) != nil
    }
}
