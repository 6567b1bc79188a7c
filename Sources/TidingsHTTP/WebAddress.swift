// SPDX-License-Identifier: Apache-2.0

/// An address of the web, parsed and normalised once.
///
/// libcurl reads it both here and when it connects, so that what was checked is what is fetched.
/// Only http and https; spaces and other characters that do not belong in an address are
/// percent-encoded, international host names are written in their ASCII form, the fragment is
/// dropped, and user info is refused. Two addresses are equal when their `text` is.
package struct WebAddress: Sendable {
    /// The whole address with its query, as it is sent.
    ///
    /// May hold secrets: for everything a person reads use `redacted`.
    package let text: String

    let hostEnd: Int
    let pathStart: Int
    let pathEnd: Int
    private let storedPort: UInt16

    /// Creates an address from what a person or a server wrote.
    ///
    /// - Throws: `invalidAddress` or `unsupportedScheme`.
    package init(_ text: String) throws(HTTPError) {
        self.init(try CurlURL(parsing: text))
    }

    /// Returns the address that `reference` means on a page with this address (RFC 3986, 5).
    ///
    /// An empty reference, or one with only a fragment, is this address.
    ///
    /// - Throws: `invalidAddress` or `unsupportedScheme`, also for `file:`, `data:` and the like.
    package func resolving(_ reference: String) throws(HTTPError) -> WebAddress {
        guard let first = reference.utf8.first, first != UInt8(ascii: "#") else { return self }
        return WebAddress(try CurlURL(parsing: reference, relativeTo: self))
    }

    private init(_ url: CurlURL) {
        text = url.text
        storedPort = url.port
        hostEnd = url.scheme.utf8.count + 3 + url.host.utf8.count
        pathEnd = text.utf8.count - (url.query.map { $0.utf8.count + 1 } ?? 0)
        pathStart = pathEnd - url.path.utf8.count
    }

    /// The port that is connected to, the scheme's own if the text names none.
    package var port: Int { Int(storedPort) }
}

extension WebAddress: Hashable {
    package static func == (left: WebAddress, right: WebAddress) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension WebAddress: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { redacted }

    package var debugDescription: String { redacted }
}

extension WebAddress: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
