// SPDX-License-Identifier: Apache-2.0

/// How far an item has come, as the registry records it.
package enum ItemState: String, Hashable, Sendable, Codable, CaseIterable {
    case queued
    case fetchingPlaylist
    case fetching
    case muxing
    case verifying
    case ready
    case failed
    /// The item was ready, but its file is gone.
    case missing

    /// Whether a download is under way, so that a process that died here left work behind.
    package var isActive: Bool {
        switch self {
        case .fetchingPlaylist, .fetching, .muxing, .verifying: true
        case .queued, .ready, .failed, .missing: false
        }
    }
}

/// What kind of source an item turned out to be.
package enum ItemKind: String, Hashable, Sendable, Codable {
    case file
    case stream
}
