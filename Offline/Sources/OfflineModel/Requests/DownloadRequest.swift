// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// A request to download an item into the library.
///
/// A new property also belongs to the forms of a request: `StoredRequest` in OfflineLibrary for a
/// request that waits in a file, `DownloadOrder` in OfflineAPI, and `HandedAddress` in
/// OfflineHousehold for other machines. If the item keeps the value, the registry needs a column.
package struct DownloadRequest: Hashable, Sendable {
    /// The origin of the item.
    package var origin: ItemOrigin
    /// The quality and the languages of a stream to download, without an effect on files.
    package var choice: RequestedChoice
    /// Whether addresses of private networks may be contacted for this item.
    package var allowsPrivateAddresses: Bool
    /// Whether to create a new item even if the library has an item of this origin and choice.
    package var again: Bool
    /// The title of the item, or nil for a title from the content or else from the address.
    package var title: String?
    /// The recording of a live stream.
    ///
    /// A request with nil refuses live streams. Media that end ignore the recording.
    package var live: LiveRecording?
    /// The picture of the item that the feed names, which is not a part of the item's identity.
    package var picture: WebAddress?
    /// The options of the item's requests, which are not a part of the item's identity.
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

    /// Sets the options of the item's requests, of which the request keeps the options for the
    /// address.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` if the options are too large, or if the item
    ///   has no address.
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
    /// The library already has the complete file.
    case alreadyReady(MediaItem)

    /// The item of the request.
    package var item: MediaItem {
        switch self {
        case .created(let item), .resumed(let item), .alreadyReady(let item): item
        }
    }
}
