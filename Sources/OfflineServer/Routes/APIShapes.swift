// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

// The JSON that only the server speaks; items and reports of a refresh come from the library.

/// The first event of a stream.
struct HelloJSON: Codable, Sendable {
    /// Of the API.
    var version: Int
    /// The number by which this page tells whether it is in front.
    var client: Int
}

/// An address that lets one browser in.
struct EntryJSON: Codable, Sendable {
    var address: String
}

/// What `POST /api/presence` takes and gives.
struct PresenceJSON: Codable, Sendable {
    /// The number that the page's stream began with.
    var client: Int
    /// Whether a person looks at the page.
    var inFront: Bool
}

struct ItemListJSON: Codable, Sendable {
    var items: [ItemRepresentation]
}

struct RemovedJSON: Codable, Sendable {
    var id: ItemID
}

/// Whether there is a network, as `GET /api/connectivity` and the event tell it.
struct ConnectivityJSON: Codable, Sendable {
    /// `online`, `offline`, or `unknown` before the system has told.
    var state: String
    /// Why online is only assumed.
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

/// The answer to a removal.
struct RemovalJSON: Codable, Sendable {
    var removed: ItemID
}

/// How far one download is, without what does not change meanwhile.
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
    }
}

/// What `POST /api/downloads` takes.
struct DownloadJSON: Codable, Sendable {
    var url: String
    var rendition: String?
    var allowPrivate: Bool?
    var again: Bool?
}

/// What `POST /api/refresh` takes.
struct RefreshJSON: Codable, Sendable {
    var removeMissing: Bool?
    var `import`: Bool?
    var confirmed: Bool?
}
