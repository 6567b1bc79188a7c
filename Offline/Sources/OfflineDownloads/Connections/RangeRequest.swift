// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The request of a further connection for a range of a file.
///
/// A request is a value without side effects. The caller applies the value to the request and to
/// the response.
struct RangeRequest: Hashable, Sendable {
    /// The use of a response.
    enum Decision: Hashable, Sendable {
        /// Write the body at the start of the range.
        case accept
        /// Drop the response, because the body is not this range of the file.
        case refuse
        /// Drop the response, because the server's file has changed.
        case changed
    }

    let range: Range<Int64>
    /// The strong validator of the version on disk.
    let validator: String
    /// The size of the version on disk.
    let size: Int64

    /// Adds `Range` and `If-Range` to a request.
    func apply(to request: inout HTTPRequest) {
        request.range = HTTPByteRange(offset: range.lowerBound, length: Int64(range.count))
        request.ifRange = validator
    }

    /// Returns the use of a response.
    func decision(for head: HTTPResponseHead) -> Decision {
        guard head.status == 200 || head.status == 206 else { return .refuse }
        // A response without a strong validator does not show a change, but cannot be trusted
        // either.
        guard let found = head.strongValidator else { return .refuse }
        guard found == validator else { return .changed }
        guard head.status == 206, head.contentEncoding == nil, let part = head.contentRange,
            part.first == range.lowerBound, part.last == range.upperBound - 1,
            part.total == size
        else { return .refuse }
        return .accept
    }
}
