// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import OfflineSources
package import TidingsHTTP

/// A request to follow a feed.
package struct FeedRequest: Hashable, Sendable {
    /// The number of entries to keep if the user chooses none.
    package static let standardKeep = 10
    /// The allowed numbers of entries to keep.
    package static let keepRange = 1...1_000

    /// The address of the feed.
    package let address: WebAddress
    /// The number of entries to keep.
    package let keep: Int
    /// Whether to keep the pages of entries without media.
    package let keepsPages: Bool
    /// Whether the feed and its entries may be at private addresses.
    package var allowsPrivateAddresses: Bool
    /// The options of the requests for the feed and, where applicable, for the entries.
    package let options: RequestOptions

    /// Creates a request.
    ///
    /// - Throws: `FeedError` with `.invalidKeep`, and `LibraryError` with `.invalidOption` for
    ///   options that are too large or include a checksum. A feed cannot have a checksum.
    package init(
        _ address: WebAddress,
        keep: Int = standardKeep,
        keepsPages: Bool = false,
        allowsPrivateAddresses: Bool = false,
        options: RequestOptions = RequestOptions()
    ) throws {
        guard Self.keepRange.contains(keep) else {
            throw FeedError(
                .invalidKeep,
                "A feed keeps from \(Self.keepRange.lowerBound) to \(Self.keepRange.upperBound) "
                    + "entries. Choose such a number."
            )
        }
        guard options.checksum == nil else {
            throw LibraryError(
                .invalidOption,
                "A checksum belongs to one file, and a feed changes. Leave it out."
            )
        }
        self.address = address
        self.keep = keep
        self.keepsPages = keepsPages
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.options = try options.kept(for: address)
    }
}

extension FeedRequest {
    /// Returns a request for the feed that a page at this request's address names.
    package func moved(to feed: WebAddress) throws -> FeedRequest {
        try FeedRequest(
            feed,
            keep: keep,
            keepsPages: keepsPages,
            allowsPrivateAddresses: allowsPrivateAddresses,
            options: options.forEntry(at: feed, ofFeedAt: address)
        )
    }
}

extension RequestOptions {
    /// Returns the options of an entry's download.
    ///
    /// Headers go only to the origin of the feed, and cookies only to the site of the feed.
    func forEntry(at address: WebAddress, ofFeedAt feed: WebAddress) -> RequestOptions {
        var options = self
        if address.origin != feed.origin { options.headers = [] }
        options.cookies = cookies.filter {
            $0.isOfSite(of: address) && address.scheme == feed.scheme && address.port == feed.port
        }
        options.referrer = feed
        return options
    }
}
