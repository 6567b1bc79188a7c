// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// An entry of a feed, with the address to keep.
package struct FeedEntry: Hashable, Sendable {
    /// The name by the identifier of the publisher; without one, the key of the address.
    package var identity: String
    /// The name by the part of its address that tells it apart from the other entries of its feed.
    package var key: String
    /// The title as a single line.
    package var title: String
    /// The address of its media; nil if it has none.
    package var media: WebAddress?
    /// The address of its page; nil if it has none.
    package var page: WebAddress?
    /// The address of its picture, or of that of the feed; nil if there is none.
    package var picture: WebAddress?
    /// The time of publication in seconds since 1970, or an estimate that keeps the order.
    package var published: Double

    /// Returns the address to keep.
    ///
    /// - Parameter allowsPages: Whether the page of an entry without media is kept.
    /// - Returns: The address; nil if there is none.
    package func address(orPage allowsPages: Bool) -> WebAddress? {
        media ?? (allowsPages ? page : nil)
    }
}

/// The parts of addresses that name the entries of a document; a value without side effects.
///
/// A signature, which a publisher may renew, names nothing. One without which two entries of a
/// document would have the same address does name them, so there the whole query counts.
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

    /// Returns the part of an address that names its entry.
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
