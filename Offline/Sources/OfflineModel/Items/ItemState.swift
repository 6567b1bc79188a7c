// SPDX-License-Identifier: Apache-2.0

/// The state of an item in the registry.
package enum ItemState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The item waits for its download.
    case queued
    /// The playlist of a stream is being fetched.
    case fetchingPlaylist
    /// The file or the segments are being fetched.
    case fetching
    /// The segments are being joined into one file.
    case muxing
    /// The file is being checked and moved into the library.
    case verifying
    /// The imported file is listed and waits for the check by ffprobe.
    case unverified
    /// The item waits for a request, or for space on the disk if the item has a failure.
    case paused
    /// The file is complete and in the library.
    case ready
    /// The download failed.
    case failed
    /// The item was ready, but the file is gone.
    case missing

    /// Whether a download is in progress.
    ///
    /// After the end of the process, the item must be queued again.
    package var isActive: Bool {
        switch self {
        case .fetchingPlaylist, .fetching, .muxing, .verifying: true
        case .queued, .unverified, .paused, .ready, .failed, .missing: false
        }
    }

    /// Whether the item's download is over, or continues only later.
    package var endsRun: Bool { !isActive && self != .queued }
}

/// The source that recognized an item, by the name that the source defines.
package struct ItemKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The text in the registry and the API.
    package let rawValue: String

    /// Creates the kind with a name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
