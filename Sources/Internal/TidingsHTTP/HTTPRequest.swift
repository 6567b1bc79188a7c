// SPDX-License-Identifier: Apache-2.0

/// A request to a server.
package struct HTTPRequest: Sendable {
    /// An HTTP method.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The address to send the request to.
    package var address: WebAddress
    /// The method to use.
    ///
    /// A redirect may change the method to GET.
    package var method: Method
    /// Headers for the origin of `address` only.
    ///
    /// A redirect to another origin drops all of these.
    package var headers: [HTTPHeader]
    /// Returns further headers for one address, which is the request's address or a redirect's
    /// target.
    ///
    /// The closure is called for each address, so that the caller decides which origin gets which
    /// secrets.
    package var headersForTarget: (@Sendable (WebAddress) -> [HTTPHeader])?
    /// The proxy that the request passes through.
    ///
    /// With nil, the client connects to the server.
    package var proxy: HTTPProxy?
    /// The limits of the speed at which the body arrives, all of which apply.
    package var limits: [TransferLimit] = []
    /// Whether the request needs a separate connection, which excludes HTTP/2.
    ///
    /// More connections help if the server limits the speed of each connection.
    package var needsOwnConnection = false
    /// The requested part of the body.
    ///
    /// A server may ignore the range and respond with status 200.
    package var range: HTTPByteRange?
    /// A strong validator.
    ///
    /// The server applies `range` only if the body still matches the validator.
    package var ifRange: String?
    /// The body, sent with POST, PUT, PATCH and DELETE and never to another origin.
    package var body: [UInt8]?

    /// Creates a request, which is validated when the request is sent.
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
    /// The number of bytes, or nil for all following bytes.
    package var length: Int64?

    /// Creates a range.
    ///
    /// An empty or negative range is rejected when a request with the range is sent.
    package init(offset: Int64, length: Int64? = nil) {
        self.offset = offset
        self.length = length
    }

    /// The value of a Range header, or nil if the range is empty, negative or overflows.
    var headerValue: String? {
        guard offset >= 0 else { return nil }
        guard let length else { return "bytes=\(offset)-" }
        let (end, overflow) = offset.addingReportingOverflow(length)
        return length > 0 && !overflow ? "bytes=\(offset)-\(end - 1)" : nil
    }
}
