// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// An entry of a feed, with the address to keep.
package struct FeedEntry: Hashable, Sendable {
    /// The name from the identifier of the publisher, or the key of the address if there is none.
    package var identity: String
    /// The name from the part of the address that distinguishes the entry from others in the feed.
    package var key: String
    /// The title as a single line.
    package var title: String
    /// The address of the media, or nil if the entry has none.
    package var media: WebAddress?
    /// The address of the page, or nil if the entry has none.
    package var page: WebAddress?
    /// The address of the picture of the entry or of the feed, or nil if there is none.
    package var picture: WebAddress?
    /// The time of publication in seconds since 1970, or an estimate that keeps the order.
    package var published: Double

    /// Returns the address to keep.
    ///
    /// - Parameter allowsPages: Whether the page of an entry without media is kept.
    /// - Returns: The address, or nil if there is none.
    package func address(orPage allowsPages: Bool) -> WebAddress? {
        media ?? (allowsPages ? page : nil)
    }
}

/// The parts of addresses that name the entries of a document, as a value without side effects.
///
/// A signature does not name an entry, because a publisher may renew the signature. If two entries
/// of a document would have the same address without the signatures, the whole query counts.
struct FeedKeys {
    private var shared: Set<String> = []

    /// Compares the addresses of all entries of a document.
    init(_ addresses: some Sequence<WebAddress>) {
        var texts: [String: String] = [:]
        for address in addresses {
            let key = Self.unsigned(address)
            let text = Self.whole(address)
            if texts.updateValue(text, forKey: key).map({ $0 != text }) == true {
                shared.insert(key)
            }
        }
    }

    /// Returns the part of an address that names the entry.
    func key(of address: WebAddress) -> String {
        let key = Self.unsigned(address)
        return shared.contains(key) ? Self.whole(address) : key
    }

    private static func unsigned(_ address: WebAddress) -> String {
        text(address, query: LinkSignature.queryWithoutNamedSignatures(of: address))
    }

    private static func whole(_ address: WebAddress) -> String {
        text(address, query: address.query)
    }

    private static func text(_ address: WebAddress, query: String?) -> String {
        FeedName.short(
            "at:\(address.host):\(address.port)\(address.path)\(query.map { "?" + $0 } ?? "")"
        )
    }
}
