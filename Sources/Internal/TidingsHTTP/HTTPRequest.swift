// SPDX-License-Identifier: Apache-2.0

/// A request to a server.
package struct HTTPRequest: Sendable {
    /// An HTTP method.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The address to send the request to.
    package var address: WebAddress
    /// The method to use; a redirect may change it to GET.
    package var method: Method
    /// Headers for the origin of `address` only: a redirect to another origin drops them all.
    package var headers: [HTTPHeader]
    /// Returns further headers for one address: that of the request or of a redirect's target.
    ///
    /// Called for each of them, so that the caller decides which origin gets which secrets.
    package var headersForTarget: (@Sendable (WebAddress) -> [HTTPHeader])?
    /// The proxy that the request passes through; nil connects to the server.
    package var proxy: HTTPProxy?
    /// The limits of the speed at which the body arrives, all of which apply.
    package var limits: [TransferLimit] = []
    /// Whether the request must not share its connection with others, as HTTP/2 does: more
    /// connections help if the server limits the speed of each.
    package var needsOwnConnection = false
    /// The requested part of the body; a server may ignore it and respond with status 200.
    package var range: HTTPByteRange?
    /// A strong validator; the server applies `range` only if the body still matches it.
    package var ifRange: String?
    /// The body, sent with POST, PATCH and DELETE and never to another origin.
    package var body: [UInt8]?

    /// Creates a request; it is validated when it is sent.
    package init(
        _ address: WebAddress,
        method: Method = .get,
        headers: [HTTPHeader] = [],
        range: HTTPByteRange? = nil,
        ifRange: String? = nil,
        body: [UInt8]? = nil
    ) {
        self.address = address
        self.method = method
        self.headers = headers
        self.range = range
        self.ifRange = ifRange
        self.body = body
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method and the address, without query, headers and body.
    package var description: String { "\(method.rawValue) \(address.redacted)" }

    /// The method and the address, without query, headers and body.
    package var debugDescription: String { description }
}

/// A range of consecutive bytes of a body.
package struct HTTPByteRange: Hashable, Sendable, Codable {
    /// The index of the first byte, counted from 0.
    package var offset: Int64
    /// The number of bytes; nil for all following bytes.
    package var length: Int64?

    /// Creates a range; a request rejects an empty or negative one when it is sent.
    package init(offset: Int64, length: Int64? = nil) {
        self.offset = offset
        self.length = length
    }

    /// The value of a Range header; nil if the range is empty, negative or overflows.
    var headerValue: String? {
        guard offset >= 0 else { return nil }
        guard let length else { return "bytes=\(offset)-" }
        let (end, overflow) = offset.addingReportingOverflow(length)
        return length > 0 && !overflow ? "bytes=\(offset)-\(end - 1)" : nil
    }
}
