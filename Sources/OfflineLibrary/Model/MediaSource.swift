// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// Where an item comes from.
package enum MediaSource: Hashable, Sendable {
    /// An address of the web.
    case address(WebAddress)
    /// The sample stream that ships with the program; the running server knows its address.
    case sample
    /// A file that was found in the library's folder; the name it had there.
    case imported(String)
    /// A stored text that this version cannot read; the item keeps its file and its place.
    case unreadable(String)

    private static let sampleText = "sample:stream"
    private static let importPrefix = "import:"

    /// Reads the form that `text` gives.
    package init(text: String) throws(HTTPError) {
        if text == Self.sampleText {
            self = .sample
        } else if text.hasPrefix(Self.importPrefix) {
            self = .imported(String(text.dropFirst(Self.importPrefix.count)))
        } else {
            self = .address(try WebAddress(text))
        }
    }

    /// Reads what the registry stored.
    ///
    /// What an earlier version accepted may be refused by this one: such an item stays in the
    /// library, and only cannot be fetched.
    init(stored text: String) {
        do {
            self = try MediaSource(text: text)
        } catch {
            self = .unreadable(text)
        }
    }

    /// The form that the registry stores and a person reads.
    package var text: String {
        switch self {
        case .address(let address): address.text
        case .sample: Self.sampleText
        case .imported(let name): Self.importPrefix + name
        case .unreadable(let text): text
        }
    }

    /// The form for logs, reports and error texts: no query, no credentials.
    package var redacted: String {
        switch self {
        case .address(let address): address.redacted
        case .sample: Self.sampleText
        case .imported(let name): Self.importPrefix + name
        case .unreadable: "an address that cannot be read"
        }
    }
}
