// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// An entry of a feed, with the address to keep.
package struct FeedEntry: Hashable, Sendable {
    /// The identifier of the publisher; without one, the address without its signature.
    package var identity: String
    /// The title as a single line.
    package var title: String
    /// The address of its media; nil if it has none.
    package var media: WebAddress?
    /// The address of its page; nil if it has none.
    package var page: WebAddress?
    /// The time of publication in seconds since 1970, or an estimate that keeps the order.
    package var published: Double

    /// Returns the address to keep.
    ///
    /// - Parameter allowsPages: Whether the page of an entry without media is kept.
    /// - Returns: The address; nil if there is none.
    package func address(orPage allowsPages: Bool) -> WebAddress? {
        media ?? (allowsPages ? page : nil)
    }

    /// Returns the part of an address that stays the same when its signature is renewed.
    static func key(of address: WebAddress) -> String {
        let query = LinkSignature.unsignedQuery(of: address).map { "?" + $0 } ?? ""
        return "at:\(address.host):\(address.port)\(address.path)\(query)"
    }
}
