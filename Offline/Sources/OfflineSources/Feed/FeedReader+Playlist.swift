// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
package import TidingsHTTP

extension FeedReader {
    /// The largest number of feeds of a list to name.
    private static let listLimit = 64

    /// Returns the field of a track that receives the text of an element, or nil if there is none.
    func trackField(_ name: String) -> Field? {
        switch name {
        case "location": .location
        case "title": .title(isMarkup: false)
        case "info": .link
        case "image": .picture
        default: nil
        }
    }

    /// Stores the address of the media or of the picture of a track.
    mutating func setAddress(_ field: Field, _ text: String) {
        guard let address = resolver.resolve(text, against: base) else { return }
        if case .picture = field {
            draft?.picture = address
        } else {
            draft?.add(address, rank: 1)
        }
    }

    /// Stores a feed that an OPML list names.
    mutating func readOutline(_ element: XMLTree) {
        guard let address = resolver.resolve(element["xmlUrl"], against: base) else { return }
        listed.count += 1
        guard listed.feeds.count < Self.listLimit, !listed.feeds.contains(address) else { return }
        listed.feeds.append(address)
    }
}

extension FeedError {
    /// Creates the error for a document that leads to feeds but is not a feed.
    ///
    /// - Parameters:
    ///   - address: The document.
    ///   - name: The kind of the document, such as “a web page”.
    ///   - feeds: The feeds, at least one.
    /// - Returns: The error. The message has the command for each feed.
    package static func leading(
        _ address: WebAddress,
        _ name: String,
        to feeds: [WebAddress]
    ) -> FeedError {
        let lines = feeds.prefix(16).map { feed in
            // A query may be a secret.
            feed.query == nil
                ? "offline follow \(feed.text)"
                : "\(feed.redacted) (with the query in the document)"
        }
        let more = feeds.count > 16 ? ["\(feeds.count - 16) more are in the document."] : []
        let count = feeds.count == 1 ? "1 feed" : "\(feeds.count) feeds"
        return FeedError(
            .notAFeed,
            "\(address.redacted) is \(name) that names \(count). Follow the wanted one by its own "
                + "address:\n" + (lines + more).joined(separator: "\n")
        )
    }
}
