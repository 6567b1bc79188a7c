// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An item of the library: the values of its row in the registry.
package struct MediaItem: Hashable, Sendable, Identifiable {
    /// The identifier of the item.
    package let id: ItemID
    /// The origin of the item.
    package var origin: ItemOrigin
    /// The requested quality and languages of a stream.
    package var choice: MediaChoice
    /// Whether the download may contact private addresses.
    package var allowsPrivateAddresses: Bool
    /// The title for the user.
    package var title: String
    /// The source of the item, such as a file or a stream; nil until the server has sent content.
    package var kind: ItemKind?
    /// The state of the item.
    package var state: ItemState
    /// The name of the file in the media folder, which consists of numbers and an extension.
    package var fileName: String?
    /// The number of bytes of the finished file.
    package var size: Int64?
    /// The media type of the content, such as `video/mp4`.
    package var mediaType: String?
    /// The duration in seconds.
    package var duration: Double?
    /// The width in pixels.
    package var width: Int?
    /// The height in pixels.
    package var height: Int?
    /// Whether the library has a picture of the item.
    package var hasPicture: Bool
    /// A note for the user about the course of the download, such as a restart.
    package var note: String?
    /// The failure of a failed item.
    package var failure: ItemFailure?
    /// When the item was created.
    package var createdAt: Date
    /// When the item became ready; nil before.
    package var readyAt: Date?
    /// The recording of a live stream; nil for an item that is none.
    package var live: LiveRecording?
    /// The position in the order of the queue; a smaller one is earlier.
    package var position: Int64 = 0
    /// How far the item has been played.
    package var playback = Playback()
    /// The source of the title; nil in an item of an earlier version, and in an imported one.
    var titleSource: TitleSource?

    /// Whether the item is a file that a person has put into the media folder.
    package var isImported: Bool { if case .imported = origin { true } else { false } }

    /// Whether the page can play the file.
    package var isPlayable: Bool {
        mediaType.map { $0.hasPrefix("video/") || $0.hasPrefix("audio/") } ?? false
    }

    /// Whether the item records a live stream, or will.
    var isRecording: Bool { live?.isOver == false }
}

/// The failure of an item in the registry.
package struct ItemFailure: Hashable, Sendable, Codable {
    /// The description of a `DownloadError.Code`.
    package let code: String
    /// The fault and its remedy, for the user.
    package let message: String

    /// Creates a failure from a code and a message.
    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
