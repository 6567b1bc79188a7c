// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A version of a file whose ranges a server offers.
struct FileVersion: Hashable, Sendable {
    let validator: String
    let size: Int64
    /// The address after redirects, because other servers may have other versions.
    let address: WebAddress

    /// Returns the version in a response, or nil if the response does not permit requests for
    /// ranges.
    init?(_ head: HTTPResponseHead, size: Int64?) {
        guard let validator = head.strongValidator, let size, head.contentEncoding == nil,
            head.status == 206 || head.acceptsRanges
        else { return nil }
        self.validator = validator
        self.size = size
        address = head.address
    }
}
