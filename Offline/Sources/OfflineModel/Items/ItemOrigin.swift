// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The origin of an item: an address, the sample stream, or a file of the disk.
package enum ItemOrigin: Hashable, Sendable {
    /// A web address.
    case address(WebAddress)
    /// The sample stream of the program, which only the running server serves.
    case sample
    /// A file of the library's folder, with the name before the import.
    case imported(String)
    /// A stored string that this version cannot parse, of an item that keeps the file.
    case unreadable(String)

    private static let sampleText = "sample:stream"
    private static let importPrefix = "import:"

    /// Parses the format of `text`.
    ///
    /// - Throws: `HTTPError` for an invalid address.
    package init(text: String) throws(HTTPError) {
        if text == Self.sampleText {
            self = .sample
        } else if text.hasPrefix(Self.importPrefix) {
            self = .imported(String(text.dropFirst(Self.importPrefix.count)))
        } else {
            self = .address(try WebAddress(text))
        }
    }

    /// Parses the text of the registry.
    ///
    /// This version may reject an address that an earlier version accepted. The origin is then
    /// `.unreadable`, and the item stays in the library but cannot be downloaded.
    package init(stored text: String) {
        do {
            self = try ItemOrigin(text: text)
        } catch {
            self = .unreadable(text)
        }
    }

    /// The text for the registry and the user.
    package var text: String {
        switch self {
        case .address(let address): address.text
        case .sample: Self.sampleText
        case .imported(let name): Self.importPrefix + name
        case .unreadable(let text): text
        }
    }

    /// The text for logs, reports and errors, without query and credentials.
    package var redacted: String {
        switch self {
        case .address(let address): address.redacted
        case .sample: Self.sampleText
        case .imported(let name): Self.importPrefix + name
        case .unreadable: "an unreadable address"
        }
    }
}
