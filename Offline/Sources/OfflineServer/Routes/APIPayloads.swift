// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

// The JSON payloads that only the server uses; the library declares those of items and refreshes.

/// The first event of a stream.
struct HelloJSON: Codable, Sendable {
    /// The version of the API.
    var version: Int
    /// The number of this client, for `POST /api/presence`.
    var client: Int
    /// The name of the library, which no other one has.
    var library: String?
    /// The text for the user if the registry was damaged when the server started.
    var damage: String?
}

/// An address that admits one browser.
struct EntryJSON: Codable, Sendable {
    var address: String
}

/// The request and the response of `POST /api/presence`.
struct PresenceJSON: Codable, Sendable {
    /// The number in the first event of the page's stream.
    var client: Int
    /// Whether the page is visible and has the focus.
    var inFront: Bool
}

struct RemovedJSON: Codable, Sendable {
    var id: ItemID
}

/// The network state, in `GET /api/connectivity` and the event `connectivity`.
struct ConnectivityJSON: Codable, Sendable {
    /// `online`, `offline`, or `unknown` until the system first reports.
    var state: String
    /// The reason why `online` is only an assumption.
    var problem: String?

    init(_ state: LoadState<Connectivity>) {
        switch state {
        case .unknown, .loading: self.state = "unknown"
        case .loaded(let connectivity): self.state = connectivity.rawValue
        case .error(let error):
            self.state = Connectivity.online.rawValue
            problem = "\(error)"
        }
    }
}

/// The response to a removal.
struct RemovalJSON: Codable, Sendable {
    var removed: ItemID
}

/// The progress of one download, without the constant properties of its item.
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

/// The request of `POST /api/downloads` and `POST /api/inspect`.
struct DownloadJSON: Codable, Sendable {
    var url: String
    /// The item whose options the requests have, as far as they may be sent to the address.
    var id: ItemID?
    /// The title of the item; absent for that of the media.
    var title: String?
    var quality: String?
    var audio: String?
    var subtitles: String?
    var chapters: String?
    var allowPrivate: Bool?
    var again: Bool?
    var live: LiveJSON?
}

/// The recording of a live stream in a request.
struct LiveJSON: Codable, Sendable {
    /// The time to record; absent for the whole stream.
    var seconds: Double?
}

/// The request of `POST /api/items`.
struct PasteJSON: Codable, Sendable {
    /// The text with the addresses.
    var text: String
    /// The title of the item, if the text has one address.
    var title: String?
    var quality: String?
    var audio: String?
    var subtitles: String?
    /// The part of the film to keep, if the text has one address.
    var chapters: String?
    var allowPrivate: Bool?
    var again: Bool?
}

/// The response to `POST /api/items`.
struct PastedJSON: Codable, Sendable {
    var items: [ItemRepresentation]
    /// The addresses that cannot be fetched.
    var refused: [PastedAddresses.Refusal]
}

/// The request of `POST /api/items/ID/retry`.
struct RetryJSON: Codable, Sendable {
    /// The address that replaces the item's own; absent to keep it.
    var address: String?
}

/// The request of `POST /api/refresh`.
struct RefreshJSON: Codable, Sendable {
    var removeMissing: Bool?
    var `import`: Bool?
    var confirmed: Bool?
}
