// SPDX-License-Identifier: Apache-2.0

/// A proxy that a request passes through.
///
/// Descriptions of a proxy contain neither the user name nor the password.
package struct HTTPProxy: Hashable, Sendable {
    /// The protocol that the client speaks with the proxy.
    package enum Scheme: String, Sendable, CaseIterable {
        case http, https, socks5, socks5h
    }

    /// The protocol.
    package let scheme: Scheme
    /// The host and the port, as an address without a path.
    private let place: WebAddress
    /// The user name, or nil if the proxy needs none.
    let user: String?
    /// The password of the user.
    let password: String?

    /// Parses `SCHEME://[USER[:PASSWORD]@]HOST:PORT`.
    ///
    /// Without a scheme the proxy speaks HTTP.
    ///
    /// - Throws: `HTTPError` with `.invalidAddress` or `.unsupportedScheme`. The message contains
    ///   no part of the text except the scheme.
    package init(_ text: String) throws(HTTPError) {
        var rest = text[...]
        var scheme = Scheme.http
        if let end = text.firstRange(of: "://") {
            let name = text[..<end.lowerBound].lowercased()
            guard let known = Scheme(rawValue: name) else { throw Self.unsupported(name) }
            (scheme, rest) = (known, text[end.upperBound...])
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(
                separator: ":",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            user = try Self.decoded(parts.first ?? "")
            password = try Self.decoded(parts.count > 1 ? parts[1] : "")
            rest = rest[rest.index(after: at)...]
        } else {
            (user, password) = (nil, nil)
        }
        // `WebAddress` normalizes the host. The port must be checked in the text, because the text
        // of a `WebAddress` lacks the default port of http.
        guard let colon = rest.lastIndex(of: ":"), rest.last != "]",
            rest[rest.index(after: colon)...].allSatisfy({ $0.isASCII && $0.isNumber }),
            let address = try? WebAddress("http://\(rest)"), address.path == "/",
            address.query == nil, !rest.contains("#")
        else {
            throw HTTPError(
                .invalidAddress,
                "The address of the proxy is invalid. Use http://HOST:PORT, https://HOST:PORT, "
                    + "socks5://HOST:PORT or socks5h://HOST:PORT."
            )
        }
        self.scheme = scheme
        place = address
    }

    /// The host, lowercase and in ASCII.
    package var host: String { place.host }
    /// The port.
    package var port: Int { place.port }

    /// The whole address with the secrets.
    ///
    /// This type can parse the text again.
    package var text: String {
        let credentials = user.map { user in
            "\(Self.encoded(user)):\(Self.encoded(password ?? ""))@"
        }
        return "\(scheme.rawValue)://\(credentials ?? "")\(host):\(port)"
    }

    /// The address without the credentials.
    package var redacted: String { "\(scheme.rawValue)://\(host):\(port)" }

    private static func unsupported(_ scheme: String) -> HTTPError {
        HTTPError(
            .unsupportedScheme,
            "The proxy's scheme is not supported. Use http, https, socks5 or socks5h."
        )
    }

    /// Decodes percent-encoded text.
    private static func decoded(_ text: Substring) throws(HTTPError) -> String {
        guard let bytes = PercentCoding.bytes(text),
            let decoded = String(validating: bytes, as: UTF8.self),
            decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw HTTPError(
                .invalidAddress,
                "The user name or the password of the proxy contains an invalid character. Write "
                    + "special characters as %40 (@), %3A (:) and %25 (%)."
            )
        }
        return decoded
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (48...57) ~= byte)
            return isPlain ? String(scalar) : PercentCoding.text(byte)
        }.joined()
    }
}

extension HTTPProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address without the credentials.
    package var description: String { redacted }

    /// The address without the credentials.
    package var debugDescription: String { redacted }

    /// The address without the credentials, so that a dump does not contain them.
    package var customMirror: Mirror { Mirror(self, children: ["address": redacted]) }
}

/// The percent-encoding of single bytes (RFC 3986, 2.1).
private enum PercentCoding {
    /// Returns the bytes of an encoded text, or nil unless two digits follow each percent sign.
    static func bytes(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    static func text(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
