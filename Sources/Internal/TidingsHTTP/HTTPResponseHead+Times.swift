// SPDX-License-Identifier: Apache-2.0

extension HTTPResponseHead {
    /// A validator that changes whenever a byte of the body changes (RFC 9110, 8.8.1).
    ///
    /// The validator is the ETag if the ETag is strong. Otherwise Last-Modified is used if the
    /// response's Date is at least a minute later, because a second change within that minute could
    /// have the same time.
    package var strongValidator: String? {
        if let tag = headers.first("ETag"), Self.isStrongTag(tag) { return tag }
        guard let modified = headers.first("Last-Modified"), let modifiedTime = HTTPDate(modified),
            let now = headers.first("Date").flatMap(HTTPDate.init),
            now.secondsSince1970 - modifiedTime.secondsSince1970 >= 60
        else { return nil }
        return modified
    }

    /// The delay that the server requests before the next request, or nil if there is none.
    package var retryAfter: Duration? {
        guard let value = headers.first("Retry-After") else { return nil }
        if let seconds = Int64(value) { return .seconds(max(0, seconds)) }
        guard let then = HTTPDate(value) else { return nil }
        let now = headers.first("Date").flatMap(HTTPDate.init) ?? .now
        return .seconds(max(0, then.secondsSince1970 - now.secondsSince1970))
    }

    private static func isStrongTag(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == bytes.first else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    }
}
