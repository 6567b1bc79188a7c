// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// A request to download an item into the library.
package struct DownloadRequest: Hashable, Sendable {
    /// The origin of the item.
    package var origin: ItemOrigin
    /// The quality and the languages of a stream to download; ignored for files.
    package var choice: RequestedChoice
    /// Whether addresses of private networks may be contacted for this item.
    package var allowsPrivateAddresses: Bool
    /// Whether to create a new item even if the library has one of this origin and choice.
    package var again: Bool
    /// The title of the item; nil derives it from the content, or else from the address.
    package var title: String?
    /// The recording of a live stream; nil refuses live streams, and media that end ignore it.
    package var live: LiveRecording?
    /// The picture of the item that its feed names; no part of its identity.
    package var picture: WebAddress?
    /// The options of the item's requests; no part of its identity.
    package private(set) var options = RequestOptions()

    /// Creates a request with a title that is derived from the address.
    package init(
        _ origin: ItemOrigin,
        choice: RequestedChoice = RequestedChoice(),
        allowsPrivateAddresses: Bool = false,
        again: Bool = false
    ) {
        self.origin = origin
        self.choice = choice
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.again = again
    }

    /// Sets the options of the item's requests, of which it keeps those for its address.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` if they are too large, or if the item has no
    ///   address.
    package mutating func setOptions(_ options: RequestOptions) throws(LibraryError) {
        if options.isEmpty { return }
        guard case .address(let address) = origin else {
            throw LibraryError(
                .invalidOption,
                "This item is not downloaded from a web address, so it takes no headers, cookies, "
                    + "proxy or checksum."
            )
        }
        self.options = try options.kept(for: address)
    }
}

/// The result of a request.
package enum EnqueueResult: Sendable {
    /// A new item was created.
    case created(MediaItem)
    /// An unfinished item of the library is resumed.
    case resumed(MediaItem)
    /// The library has the complete file already.
    case alreadyReady(MediaItem)

    /// The item of the request.
    package var item: MediaItem {
        switch self {
        case .created(let item), .resumed(let item), .alreadyReady(let item): item
        }
    }
}
