// SPDX-License-Identifier: Apache-2.0

/// What a person asks the library to keep.
package struct DownloadRequest: Hashable, Sendable {
    package var source: MediaSource
    /// Which rendition of a stream to take; files ignore it.
    package var rendition: RenditionChoice
    /// Whether addresses of private networks may be contacted for this item.
    package var allowsPrivateAddresses: Bool
    /// Whether to make a second item although the library has this one.
    package var again: Bool
    /// What the item is to be called; nil takes the name from the address.
    package var title: String?

    package init(
        _ source: MediaSource,
        rendition: RenditionChoice = .best,
        allowsPrivateAddresses: Bool = false,
        again: Bool = false
    ) {
        self.source = source
        self.rendition = rendition
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.again = again
    }
}

/// What became of a request.
package enum EnqueueResult: Sendable {
    /// A new item was registered.
    case created(MediaItem)
    /// The library had this item unfinished; it goes on.
    case resumed(MediaItem)
    /// The library has the file already.
    case alreadyReady(MediaItem)

    package var item: MediaItem {
        switch self {
        case .created(let item), .resumed(let item), .alreadyReady(let item): item
        }
    }
}
