// SPDX-License-Identifier: Apache-2.0

/// The status and the header fields of an answer, with the facts a download decides on.
package struct HTTPResponseHead: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    /// The address that answered, after redirects: relative references resolve against it.
    package let address: WebAddress
    /// The announced length of the body; nil if the server left it open.
    package let contentLength: Int64?

    package init(status: Int, headers: HTTPHeaders, address: WebAddress) throws(HTTPError) {
        self.status = status
        self.headers = headers
        self.address = address
        contentLength = try Self.contentLength(status: status, headers)
    }

    /// Whether the status says that the request was met.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The media type, lowercase and without parameters.
    package var contentType: String? {
        guard let value = headers.first("Content-Type") else { return nil }
        let type = value.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return type.isEmpty ? nil : type
    }

    /// The compression of the body, lowercase, which is never undone; nil if there is none.
    package var contentEncoding: String? {
        let value = headers.all("Content-Encoding").joined(separator: ",").lowercased()
        return value.isEmpty || value == "identity" ? nil : value
    }

    /// Which bytes a 206 answer holds; nil if absent or unreadable.
    package var contentRange: HTTPContentRange? {
        let values = headers.all("Content-Range")
        return values.count == 1 ? HTTPContentRange(values[0]) : nil
    }

    /// Whether the server says that it answers requests for parts.
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
                    "The server announced a length that makes no sense; try again later."
                )
            }
            length = number
        }
        return length
    }
}

/// The Content-Range of an answer.
package struct HTTPContentRange: Hashable, Sendable {
    /// The first byte, counted from zero.
    package let first: Int64
    /// The last byte, itself included.
    package let last: Int64
    /// The length of the whole body, if the server knows it.
    package let total: Int64?

    /// Reads `bytes 0-499/1234` or `bytes 0-499/*`; nil if it is anything else or contradicts itself.
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
