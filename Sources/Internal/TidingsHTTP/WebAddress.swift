// SPDX-License-Identifier: Apache-2.0

/// A web address, parsed and normalized once.
///
/// libcurl parses the address both here and for a connection, so the checked address is the fetched
/// one. The scheme is http or https. Spaces and other invalid characters are percent-encoded,
/// international host names are converted to ASCII, the fragment is dropped, and user info is
/// rejected. Two addresses are equal if their `text` is equal.
package struct WebAddress: Sendable {
    /// The whole address with the query, in the form that is sent.
    ///
    /// The text may contain secrets, so use `redacted` in text for the user.
    package let text: String

    let hostEnd: Int
    let pathStart: Int
    let pathEnd: Int
    private let storedPort: UInt16

    /// Parses an address that a user or a server wrote.
    ///
    /// - Throws: `invalidAddress` or `unsupportedScheme`.
    package init(_ text: String) throws(HTTPError) {
        self.init(try CurlURL(parsing: text))
    }

    /// Resolves a reference on a page with this address (RFC 3986, 5).
    ///
    /// An empty reference, or a reference with only a fragment, resolves to this address.
    ///
    /// - Throws: `invalidAddress` or `unsupportedScheme`. Schemes such as `file:` and `data:` are
    ///   not supported.
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

    /// The port to connect to, which is the scheme's default if the text names none.
    package var port: Int { Int(storedPort) }
}

extension WebAddress: Hashable {
    /// Returns whether both addresses have the same `text`.
    package static func == (left: WebAddress, right: WebAddress) -> Bool { left.text == right.text }

    /// Hashes the `text`.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension WebAddress: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address without the query.
    package var description: String { redacted }

    /// The address without the query.
    package var debugDescription: String { redacted }
}

extension WebAddress: Codable {
    /// Decodes a string and parses the string as an address.
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the `text` as a string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
