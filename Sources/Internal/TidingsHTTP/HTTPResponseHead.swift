// SPDX-License-Identifier: Apache-2.0

/// The status and the header fields of a response, with the values that downloads depend on.
package struct HTTPResponseHead: Sendable {
    /// The status code.
    package let status: Int
    /// All header fields.
    package let headers: HTTPHeaders
    /// The final address after redirects, against which relative references resolve.
    package let address: WebAddress
    /// The announced length of the body in bytes, or nil if the server announces no length.
    package let contentLength: Int64?

    /// Creates a head.
    ///
    /// - Throws: `protocolViolation` for an invalid or ambiguous Content-Length.
    package init(status: Int, headers: HTTPHeaders, address: WebAddress) throws(HTTPError) {
        self.status = status
        self.headers = headers
        self.address = address
        contentLength = try Self.contentLength(status: status, headers)
    }

    /// Whether the status is 200 to 299.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The media type, lowercase and without parameters, or nil if there is none.
    package var contentType: String? {
        guard let value = headers.first("Content-Type") else { return nil }
        let type = value.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return type.isEmpty ? nil : type
    }

    /// The compression of the body, lowercase, or nil if there is none.
    ///
    /// Bodies are never decompressed.
    package var contentEncoding: String? {
        let value = headers.all("Content-Encoding").joined(separator: ",").lowercased()
        return value.isEmpty || value == "identity" ? nil : value
    }

    /// The byte range of a 206 response, or nil if the range is absent or invalid.
    package var contentRange: HTTPContentRange? {
        let values = headers.all("Content-Range")
        return values.count == 1 ? HTTPContentRange(values[0]) : nil
    }

    /// Whether the server announces support for byte ranges.
    package var acceptsRanges: Bool {
        headers.all("Accept-Ranges").contains { $0.lowercased().contains("bytes") }
    }

    private static func contentLength(
        status: Int,
        _ headers: HTTPHeaders
    )
        throws(HTTPError) -> Int64?
    {
        guard headers.first("Transfer-Encoding") == nil, status != 204, status != 304 else {
            return nil
        }
        var length: Int64?
        let values = headers.all("Content-Length").flatMap { $0.split(separator: ",") }
        for value in values {
            let digits = value.filter { !$0.isWhitespace }
            guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(digits),
                length == nil || length == number
            else {
                throw HTTPError(
                    .protocolViolation,
                    "The server sent an invalid Content-Length. Try again later."
                )
            }
            length = number
        }
        return length
    }
}

/// The Content-Range of a response.
package struct HTTPContentRange: Hashable, Sendable {
    /// The index of the first byte, counted from 0.
    package let first: Int64
    /// The index of the last byte, inclusive.
    package let last: Int64
    /// The length of the whole body, or nil if the length is unknown to the server.
    package let total: Int64?

    /// Parses `bytes 0-499/1234` or `bytes 0-499/*`.
    ///
    /// The result is nil for any other or contradictory text.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last
        else { return nil }
        let total = Self.number(halves[1])
        guard halves[1] == "*" || total.map({ last < $0 }) == true else { return nil }
        self.first = first
        self.last = last
        self.total = total
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
