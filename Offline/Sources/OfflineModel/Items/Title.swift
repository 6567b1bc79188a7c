// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

/// A title for the user, never a file name.
package struct Title: Hashable, Sendable {
    /// The maximum number of characters.
    package static let longest = 120
    /// The text of the title: one line without control characters.
    package let text: String

    /// Creates a title from the last meaningful part of the origin.
    package init(origin: ItemOrigin) {
        switch origin {
        case .address(let address):
            self.init(Self.name(in: address) ?? "", fallback: address.host)
        case .sample:
            self.init("Sample stream", fallback: "")
        case .unreadable:
            self.init("", fallback: "Item")
        case .imported(let name):
            self.init(name, fallback: "Imported file")
        }
    }

    /// Creates a title from a file name of a server, without the extension.
    ///
    /// The title is one line of limited length without control characters. `fallback` replaces an
    /// empty title.
    package init(_ raw: String, fallback: String) {
        self.init(line: String(Self.withoutExtension(raw)), fallback: fallback)
    }

    /// Creates a title from text that is not a file name, in the same way.
    package init(line raw: String, longest: Int = longest, fallback: String) {
        // A character may consist of any number of scalars.
        let clean = raw.unicodeScalars.prefix(longest * 8)
            .map { $0.properties.isWhitespace ? " " : $0 }
            .filter { !$0.properties.generalCategory.isHidden }
        let words = String(String.UnicodeScalarView(clean)).split(separator: " ")
        let title = String(words.joined(separator: " ").prefix(longest))
        text = title.isEmpty ? fallback : title
    }

    /// Returns the title that a playlist or a manifest states, or nil for an empty title.
    package static func stated(_ text: String) -> String? {
        let title = Title(line: text, fallback: "").text
        return title.isEmpty ? nil : title
    }

    /// Returns the last part of the path that is not a common name such as `master`.
    ///
    /// The result is nil if a playlist or a manifest has only common names.
    private static func name(in address: WebAddress) -> String? {
        let parts = address.path.split(separator: "/").map { part in
            String(part).removingPercentEncoding ?? String(part)
        }
        let name = parts.last { part in
            !commonNames.contains(withoutExtension(part).lowercased())
        }
        guard name == nil, let last = parts.last else { return name }
        return ContentKind.isDescription(fileName: last) ? nil : last
    }

    private static let commonNames: Set<String> = [
        "index", "master", "main", "playlist", "stream", "manifest", "video", "chunklist", "hls",
        "dash",
    ]

    private static func withoutExtension(_ name: String) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 6
        else { return name[...] }
        return name[..<dot]
    }
}
