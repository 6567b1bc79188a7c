// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// An item with its progress, for the HTTP API, the page and `offline list --json`.
///
/// The fields that the export shares and the other members form one JSON object.
@dynamicMemberLookup
package struct ItemRepresentation: Hashable, Sendable, Codable {
    /// The members of the object besides the fields.
    package struct Members: Hashable, Sendable, Codable {
        /// The identifier of the item.
        package var id: ItemID
        /// The origin, as the user entered it.
        package var address: String
        /// The requested quality: `best`, a height such as `720p`, or `audio`.
        package var quality: String
        /// The requested languages of the sound, such as `deu,eng`, or nil for all languages.
        package var audio: String?
        /// The requested languages of the subtitles, or `none`, or nil for all languages.
        package var subtitles: String?
        /// The requested part, such as `2-4` or `00:10:00-00:20:00`, or nil for the whole film.
        package var keptChapters: String?
        /// Whether the download may contact private addresses.
        package var allowsPrivateAddresses: Bool
        /// The number of received bytes.
        ///
        /// Like all values of the progress, the number is present only during a download.
        package var receivedBytes: Int64?
        /// The size of the file, or nil for a stream and without an announcement by the server.
        package var totalBytes: Int64?
        /// The number of complete segments, or nil for a file.
        package var doneSegments: Int?
        /// The number of segments, or nil for a file.
        package var totalSegments: Int?
        /// The received fraction, from 0 to 1, or nil without a known total.
        package var fraction: Double?
        /// The muxed fraction of the segments, from 0 to 1, or nil before the muxing.
        package var muxedFraction: Double?
        /// The speed over the last five seconds, or nil if unknown.
        package var bytesPerSecond: Double?
        /// The estimated seconds to the end, or nil if unknown.
        package var remainingSeconds: Double?
        /// The reason of a wait, such as the next retry.
        package var waiting: String?
        /// Whether the library has a picture of the item.
        package var hasPicture: Bool
        /// The recorded time of a live stream in seconds, during the download.
        package var recordedSeconds: Double?
        /// The position of a queued item in the order of the queue, where a smaller position is
        /// earlier.
        package var position: Int64?
        /// The subtitles beside the finished film, or nil in lists of items.
        package var subtitleFiles: [SubtitleRepresentation]?
        /// The path of the finished file on the machine of the library, or nil in lists of items.
        package var path: String?
        /// The chapters of the finished file, or nil in lists of items.
        package var chapters: [Chapter]?
    }

    /// The fields that the export shares.
    package var fields: ItemFields
    /// The other members.
    package var members: Members

    /// The identifier of the item.
    package var id: ItemID { members.id }

    /// The state of the item.
    package var state: ItemState { fields.state }

    /// The reason of a wait, such as the next retry.
    package var waiting: String? { members.waiting }

    /// Creates the representation of an item and of the progress, if any.
    package init(_ item: MediaItem, progress: DownloadProgress? = nil) {
        fields = item.fields
        members = Members(
            id: item.id,
            address: item.origin.text,
            quality: item.choice.quality.description,
            audio: item.choice.audio == .all ? nil : item.choice.audio.description,
            subtitles: item.choice.subtitles == .all ? nil : item.choice.subtitles.description,
            keptChapters: item.choice.chapters?.description,
            allowsPrivateAddresses: item.allowsPrivateAddresses,
            hasPicture: item.hasPicture,
            position: item.state == .queued ? item.position : nil
        )
        if let progress { update(progress) }
    }

    /// Decodes the fields and the other members of one object.
    package init(from decoder: any Decoder) throws {
        fields = try ItemFields(from: decoder)
        members = try Members(from: decoder)
    }

    /// Encodes the fields and the other members as one object.
    package func encode(to encoder: any Encoder) throws {
        try fields.encode(to: encoder)
        try members.encode(to: encoder)
    }

    /// Returns a field.
    package subscript<Value>(dynamicMember field: KeyPath<ItemFields, Value>) -> Value {
        fields[keyPath: field]
    }

    /// Accesses another member.
    package subscript<Value>(dynamicMember member: WritableKeyPath<Members, Value>) -> Value {
        get { members[keyPath: member] }
        set { members[keyPath: member] = newValue }
    }

    /// Replaces the values of the progress.
    package mutating func update(_ progress: DownloadProgress) {
        members.receivedBytes = progress.receivedBytes
        members.totalBytes = progress.totalBytes
        members.doneSegments = progress.doneSegments
        members.totalSegments = progress.totalSegments
        members.fraction = progress.fraction
        members.muxedFraction = progress.muxedFraction
        members.bytesPerSecond = progress.bytesPerSecond
        members.remainingSeconds = progress.remainingSeconds
        members.waiting = progress.waiting
        members.recordedSeconds = progress.recordedSeconds
    }
}
