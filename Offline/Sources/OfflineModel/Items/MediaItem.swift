// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The fields of an item that the registry, the export, the API and changes share.
///
/// This list is the only one. The export and the API encode the whole value, with the properties
/// as the names of the members, and `ItemChange.set` of OfflineStore changes any field. The
/// initializer has no defaults, so that a field without a column in `ItemColumns` does not compile.
///
/// A new field is optional, because an earlier export lacks the field. The type is written as
/// `Optional`, because a property of the type `String?` is nil if an initializer forgets the
/// property.
package struct ItemFields: Hashable, Sendable, Codable {
    /// The title for the user.
    package var title: String
    /// The source of the item, such as a file or a stream, or nil until the server has sent
    /// content.
    package var kind: Optional<ItemKind>
    /// The state of the item.
    package var state: ItemState
    /// The name of the file in the media folder, which consists of numbers and an extension.
    package var fileName: Optional<String>
    /// The number of bytes of the finished file.
    package var size: Optional<Int64>
    /// The media type of the content, such as `video/mp4`.
    package var mediaType: Optional<String>
    /// The duration in seconds.
    package var duration: Optional<Double>
    /// The width in pixels.
    package var width: Optional<Int>
    /// The height in pixels.
    package var height: Optional<Int>
    /// A note for the user about the course of the download, such as a restart.
    package var note: Optional<String>
    /// The failure of a failed item.
    package var error: Optional<ItemFailure>
    /// When the item was created.
    package var createdAt: Date
    /// When the item became ready, or nil before.
    package var readyAt: Optional<Date>
    /// The recording of a live stream, or nil for an item that is not a recording.
    package var live: Optional<LiveRecording>
    /// How far the item has been played, or nil for an item that was never played or marked as
    /// watched.
    package var playback: Optional<Playback>

    /// Creates the fields of an item.
    package init(
        title: String,
        kind: ItemKind?,
        state: ItemState,
        fileName: String?,
        size: Int64?,
        mediaType: String?,
        duration: Double?,
        width: Int?,
        height: Int?,
        note: String?,
        error: ItemFailure?,
        createdAt: Date,
        readyAt: Date?,
        live: LiveRecording?,
        playback: Playback?
    ) {
        self.title = title
        self.kind = kind
        self.state = state
        self.fileName = fileName
        self.size = size
        self.mediaType = mediaType
        self.duration = duration
        self.width = width
        self.height = height
        self.note = note
        self.error = error
        self.createdAt = createdAt
        self.readyAt = readyAt
        self.live = live
        self.playback = playback
    }

    /// Creates the fields of a new item.
    package init(title: String, state: ItemState, createdAt: Date, live: LiveRecording? = nil) {
        (self.title, self.state, self.createdAt, self.live) = (title, state, createdAt, live)
        (kind, fileName, size, mediaType, duration, width) = (nil, nil, nil, nil, nil, nil)
        (height, note, error, readyAt, playback) = (nil, nil, nil, nil, nil)
    }
}

/// The fields of an item that only the registry and the export share.
package struct ItemMarks: Hashable, Sendable, Codable {
    /// The recorded SHA-256 of the finished file.
    package var sha256: Optional<String>
    /// The modification time of the finished file in nanoseconds since 1970.
    ///
    /// If the file has another time, the user has changed the file, and the feed keeps the item.
    package var modified: Optional<Int64>
    /// True if the user keeps the item on purpose, so that no feed removes the item, or else nil.
    package var kept: Optional<Bool>

    /// Creates the marks of an item.
    package init(sha256: String?, modified: Int64?, kept: Bool?) {
        self.sha256 = sha256
        self.modified = modified
        self.kept = kept
    }
}

/// An item of the library, with the values of a row in the registry.
@dynamicMemberLookup
package struct MediaItem: Hashable, Sendable, Identifiable {
    /// The identifier of the item.
    package let id: ItemID
    /// The origin of the item.
    package var origin: ItemOrigin
    /// The requested quality and languages of a stream.
    package var choice: MediaChoice
    /// Whether the download may contact private addresses.
    package var allowsPrivateAddresses: Bool
    /// Whether the library has a picture of the item.
    package var hasPicture: Bool
    /// The position in the order of the queue, where a smaller position is earlier.
    package var position: Int64
    /// The source of the title, or nil in an item of an earlier version and in an imported item.
    package var titleSource: Optional<TitleSource>
    /// The fields that the export and the API share.
    package var fields: ItemFields

    /// Creates an item.
    package init(
        id: ItemID,
        origin: ItemOrigin,
        choice: MediaChoice,
        allowsPrivateAddresses: Bool,
        hasPicture: Bool,
        position: Int64,
        titleSource: TitleSource?,
        fields: ItemFields
    ) {
        self.id = id
        self.origin = origin
        self.choice = choice
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.hasPicture = hasPicture
        self.position = position
        self.titleSource = titleSource
        self.fields = fields
    }

    /// Returns a field.
    package subscript<Value>(dynamicMember field: KeyPath<ItemFields, Value>) -> Value {
        fields[keyPath: field]
    }

    /// The failure of a failed item, which the export and the API call `error`.
    package var failure: ItemFailure? { fields.error }

    /// How far the item has been played.
    package var playback: Playback { fields.playback ?? Playback() }

    /// Whether the item is a file that a user has put into the media folder.
    package var isImported: Bool { if case .imported = origin { true } else { false } }

    /// Whether the page can play the file.
    package var isPlayable: Bool {
        fields.mediaType.map { $0.hasPrefix("video/") || $0.hasPrefix("audio/") } ?? false
    }

    /// Whether the item records a live stream now or later.
    package var isRecording: Bool { fields.live?.isOver == false }
}

/// The failure of an item in the registry.
package struct ItemFailure: Hashable, Sendable, Codable {
    /// The description of a `DownloadError.Code`.
    package let code: String
    /// The fault and the remedy, for the user.
    package let message: String

    /// Creates a failure from a code and a message.
    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
