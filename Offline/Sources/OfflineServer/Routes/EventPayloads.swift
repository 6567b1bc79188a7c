// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

// The JSON payloads that only events have.

/// The first event of a stream.
struct HelloJSON: Codable, Sendable {
    /// The version of the API.
    var version: Int
    /// The number of this client, for `POST /api/presence`.
    var client: Int
    /// The unique name of the library.
    var library: String?
    /// The message for the user if the registry was damaged when the server started.
    var damage: String?
}

/// The event `items` with the newest items of each state.
struct ItemsJSON: Codable, Sendable {
    var items: [ItemRepresentation]
    /// The number of items of each state, without the states that no item has.
    var counts: [String: Int]
}

struct RemovedJSON: Codable, Sendable {
    var id: ItemID
}

struct UnreadJSON: Codable, Sendable {
    var unread: Int
}

/// The event `playback`.
struct PlaybackJSON: Codable, Sendable {
    let id: ItemID
    let playback: Playback
}

/// The progress of one download, without the constant properties of the item.
struct ProgressJSON: Codable, Sendable {
    var id: ItemID
    var receivedBytes: Int64
    var totalBytes: Int64?
    var doneSegments: Int?
    var totalSegments: Int?
    var fraction: Double?
    var muxedFraction: Double?
    var bytesPerSecond: Double?
    var remainingSeconds: Double?
    var waiting: String?
    var recordedSeconds: Double?

    init(_ id: ItemID, _ progress: DownloadProgress) {
        self.id = id
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
