// SPDX-License-Identifier: Apache-2.0

extension WebAddress {
    /// The scheme, host and port, to which credentials are bound.
    package struct Origin: Hashable, Sendable, CustomStringConvertible {
        /// `http` or `https`.
        package let scheme: String
        /// The host in lowercase.
        ///
        /// An IPv6 address is in brackets.
        package let host: String
        /// The port, even if the port is the scheme's default.
        package let port: Int

        /// The origin as a URL, always with the port.
        package var description: String { "\(scheme)://\(host):\(port)" }
    }

    /// `http` or `https`.
    package var scheme: String { text.hasPrefix("https") ? "https" : "http" }

    /// The host, lowercase and in ASCII.
    ///
    /// An IPv6 address is in brackets.
    package var host: String { slice(scheme.utf8.count + 3, hostEnd) }

    /// The origin to which credentials for this address are bound.
    package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// The path with percent-encoding, which is at least `/`.
    package var path: String { slice(pathStart, pathEnd) }

    /// The part after the question mark with percent-encoding, or nil if there is none.
    package var query: String? {
        let end = text.utf8.count
        return pathEnd == end ? nil : slice(pathEnd + 1, end)
    }

    /// The percent-decoded part after the last slash of the path, which may be empty.
    ///
    /// Use the part as a title, never as a file name, because slashes and control characters can
    /// occur.
    package var lastPathComponent: String {
        let encoded = path.utf8
        let start = encoded.lastIndex(of: UInt8(ascii: "/")).map(encoded.index(after:))
        return Self.percentDecoded(encoded[(start ?? encoded.startIndex)...])
    }

    /// The scheme, host, port and path, for logs, reports and error messages.
    package var redacted: String { slice(0, pathEnd) }

    private func slice(_ start: Int, _ end: Int) -> String {
        let bytes = text.utf8
        let first = bytes.index(bytes.startIndex, offsetBy: start)
        return String(text[first..<bytes.index(bytes.startIndex, offsetBy: end)])
    }

    private static func percentDecoded(_ encoded: Substring.UTF8View) -> String {
        var decoded: [UInt8] = []
        var rest = encoded
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexDigit),
                let low = rest.dropFirst().first.flatMap(hexDigit)
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
