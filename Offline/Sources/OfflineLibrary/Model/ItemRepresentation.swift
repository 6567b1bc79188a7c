// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An item with its progress, for the HTTP API, the page and `offline list --json`.
package struct ItemRepresentation: Hashable, Sendable, Codable {
    /// The identifier of the item.
    package var id: ItemID
    /// The origin, as the user entered it.
    package var address: String
    /// The title for the user.
    package var title: String
    /// Whether the item is a file or a stream; nil until the server has sent its content.
    package var kind: ItemKind?
    /// The state of the item.
    package var state: ItemState
    /// The requested quality: `best`, a height such as `720p`, or `audio`.
    package var quality: String
    /// The requested languages of the sound, such as `deu,eng`; nil for all.
    package var audio: String?
    /// The requested languages of the subtitles, or `none`; nil for all.
    package var subtitles: String?
    /// The requested part, such as `2-4` or `00:10:00-00:20:00`; nil for the whole film.
    package var keptChapters: String?
    /// Whether the download may contact private addresses.
    package var allowsPrivateAddresses: Bool
    /// The number of received bytes; like all progress, only during a download.
    package var receivedBytes: Int64?
    /// The size of the file; nil for a stream, and if the server did not announce it.
    package var totalBytes: Int64?
    /// The number of complete segments; nil for a file.
    package var doneSegments: Int?
    /// The number of segments; nil for a file.
    package var totalSegments: Int?
    /// The received fraction, from 0 to 1; nil without a known total.
    package var fraction: Double?
    /// The muxed fraction of the segments, from 0 to 1; nil before the muxing.
    package var muxedFraction: Double?
    /// The speed over the last five seconds; nil if unknown.
    package var bytesPerSecond: Double?
    /// The estimated seconds to the end; nil if unknown.
    package var remainingSeconds: Double?
    /// The reason of a wait, such as the next retry.
    package var waiting: String?
    /// A note for the user about the course of the download.
    package var note: String?
    /// The failure of a failed item.
    package var error: ItemFailure?
    /// The name of the finished file in the media folder.
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
    /// The recording of a live stream; nil for an item that is none.
    package var live: LiveRecording?
    /// The recorded time of a live stream in seconds, during the download.
    package var recordedSeconds: Double?
    /// The position of a queued item in the order of the queue; a smaller one is earlier.
    package var position: Int64?
    /// How far the item has been played; nil if never, and not marked as watched.
    package var playback: Playback?
    /// When the item was created.
    package var createdAt: Date
    /// When the item became ready.
    package var readyAt: Date?
    /// The subtitles beside the finished film; nil in lists of items.
    package var subtitleFiles: [SubtitleRepresentation]?
    /// The path of the finished file on the machine of the library; nil in lists of items.
    package var path: String?
    /// The chapters of the finished file; nil in lists of items.
    package var chapters: [Chapter]?

    /// Creates the representation of an item and of its progress, if it has one.
    package init(_ item: MediaItem, progress: DownloadProgress? = nil) {
        id = item.id
        address = item.origin.text
        title = item.title
        kind = item.kind
        state = item.state
        quality = item.choice.quality.description
        audio = item.choice.audio == .all ? nil : item.choice.audio.description
        subtitles = item.choice.subtitles == .all ? nil : item.choice.subtitles.description
        keptChapters = item.choice.chapters?.description
        allowsPrivateAddresses = item.allowsPrivateAddresses
        note = item.note
        error = item.failure
        fileName = item.fileName
        size = item.size
        mediaType = item.mediaType
        duration = item.duration
        width = item.width
        height = item.height
        hasPicture = item.hasPicture
        live = item.live
        position = item.state == .queued ? item.position : nil
        playback = item.playback.isNew ? nil : item.playback
        createdAt = item.createdAt
        readyAt = item.readyAt
        if let progress { update(progress) }
    }

    /// Replaces the values of the progress.
    package mutating func update(_ progress: DownloadProgress) {
        receivedBytes = progress.receivedBytes
        totalBytes = progress.totalBytes
        doneSegments = progress.doneSegments
        totalSegments = progress.totalSegments
        fraction = progress.fraction
        muxedFraction = progress.muxedFraction
        bytesPerSecond = progress.bytesPerSecond
        remainingSeconds = progress.remainingSeconds
        waiting = progress.waiting
        recordedSeconds = progress.recordedSeconds
    }
}
