// SPDX-License-Identifier: Apache-2.0

/// What is asked of a server.
package struct HTTPRequest: Sendable {
    /// The method of a request.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case delete = "DELETE"
    }

    package var address: WebAddress
    package var method: Method
    /// Headers for the origin of `address` only: a redirect to another origin drops them all.
    package var headers: [HTTPHeader]
    /// The part of the body wanted; a server may ignore it and answer 200.
    package var range: HTTPByteRange?
    /// The strong validator that makes `range` apply only to an unchanged body.
    package var ifRange: String?
    /// Sent with POST and DELETE, and never to another origin.
    package var body: [UInt8]?

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
    /// Method and address, without the query and without what headers and body say.
    package var description: String { "\(method.rawValue) \(address.redacted)" }

    package var debugDescription: String { description }
}

/// Consecutive bytes of a body.
package struct HTTPByteRange: Hashable, Sendable, Codable {
    /// The first byte, counted from zero.
    package var offset: Int64
    /// How many bytes; all that follow if nil.
    package var length: Int64?

    package init(offset: Int64, length: Int64? = nil) {
        self.offset = offset
        self.length = length
    }

    /// The value of a Range header; nil if the range is empty or beyond what can be counted.
    var headerValue: String? {
        guard offset >= 0 else { return nil }
        guard let length else { return "bytes=\(offset)-" }
        let (end, overflow) = offset.addingReportingOverflow(length)
        return length > 0 && !overflow ? "bytes=\(offset)-\(end - 1)" : nil
    }
}
