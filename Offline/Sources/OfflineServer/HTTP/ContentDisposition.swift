// SPDX-License-Identifier: Apache-2.0
import OfflineAPI

/// The header that names a download in the browser (RFC 6266, RFC 8187).
enum ContentDisposition {
    /// Returns the header's value.
    ///
    /// For any title, the value is one line of ASCII and the file name has no folder.
    static func attachment(title: String, extension fileExtension: String) -> String {
        let name = cleaned(title) + "." + cleaned(fileExtension)
        let plain = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0.isASCII && $0 != "%" ? $0 : "_" }
            )
        )
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
    }

    /// Returns a name that is valid on every file system.
    ///
    /// The name has no separators, quotes, control or direction characters and no leading dot, and
    /// at most 150 bytes.
    static func cleaned(_ title: String) -> String {
        var name = ""
        var lastWasBlank = true
        for scalar in title.unicodeScalars {
            let isBlank = scalar.properties.isWhitespace || isRefused(scalar)
            if isBlank, lastWasBlank { continue }
            lastWasBlank = isBlank
            guard name.utf8.count < 150 else { break }
            name.unicodeScalars.append(isBlank ? " " : scalar)
        }
        let trimmed = name.drop { $0 == "." || $0 == " " }.reversed()
            .drop { $0 == "." || $0 == " " }.reversed()
        return trimmed.isEmpty ? "media" : String(trimmed)
    }

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            true
        default:
            "/\\:*?\"<>|;".unicodeScalars.contains(scalar)
        }
    }
}
