// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

/// A name for a person to read; never a path.
package struct Title: Hashable, Sendable {
    package static let longest = 120
    package let text: String

    /// Makes a title from the last part of the address.
    package init(source: MediaSource) {
        switch source {
        case .address(let address):
            self.init(Self.name(in: address), fallback: address.host)
        case .sample:
            self.init("Sample stream", fallback: "")
        case .unreadable:
            self.init("", fallback: "Item")
        case .imported(let name):
            self.init(name, fallback: "Imported file")
        }
    }

    /// Cleans text that came from a server: one line, no control characters, of a sane length.
    package init(_ raw: String, fallback: String) {
        self.init(line: String(Self.withoutExtension(raw)), fallback: fallback)
    }

    /// The same for text that is a title already, and no file's name.
    package init(line raw: String, longest: Int = longest, fallback: String) {
        // A character may consist of any number of scalars.
        let clean = raw.unicodeScalars.prefix(longest * 8)
            .map { $0.properties.isWhitespace ? " " : $0 }
            .filter { !Self.isHidden($0) }
        let words = String(String.UnicodeScalarView(clean)).split(separator: " ")
        let title = String(words.joined(separator: " ").prefix(longest))
        text = title.isEmpty ? fallback : title
    }

    /// The last part of the path that says something: half of all streams are called `master`.
    private static func name(in address: WebAddress) -> String {
        let parts = address.path.split(separator: "/").map { part in
            String(part).removingPercentEncoding ?? String(part)
        }
        let telling = parts.last { part in
            !emptyNames.contains(withoutExtension(part).lowercased())
        }
        return telling ?? parts.last ?? ""
    }

    private static let emptyNames: Set<String> = [
        "index", "master", "main", "playlist", "stream", "manifest", "video", "chunklist", "hls",
    ]

    private static func withoutExtension(_ name: String) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 6
        else { return name[...] }
        return name[..<dot]
    }

    /// Control characters and those that turn the direction of text around.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
