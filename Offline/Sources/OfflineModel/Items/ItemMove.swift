// SPDX-License-Identifier: Apache-2.0

/// A move of an item from one state to another.
package enum ItemMove: Hashable, Sendable, CaseIterable {
    /// The queue starts the download.
    case start
    /// The download reads a playlist.
    case readPlaylist
    /// The download fetches the file or the segments.
    case fetch
    /// The download joins the segments.
    case join
    /// The download checks the finished file.
    case check
    /// The file is in the library.
    case finish
    /// The download fails.
    case fail
    /// The download stops before the end, and continues later without a request.
    case interrupt
    /// The item waits for a request or for space on the disk.
    case pause
    /// A request, or space on the disk, queues the item again.
    case retry
    /// A request queues a ready item again, because the file differs from the recorded file.
    case replace
    /// The file of an imported item must be checked again.
    case recheck
    /// A refresh finds no file of an item that had a file.
    case lose
    /// A refresh or an import finds the file.
    case find
}

extension ItemState {
    /// Returns the state after a move, or nil if the move is not legal in this state.
    package func after(_ move: ItemMove) -> ItemState? {
        switch (self, move) {
        case (.queued, .start): .fetching
        case (.fetching, .readPlaylist), (.fetchingPlaylist, .readPlaylist): .fetchingPlaylist
        case (.fetching, .fetch), (.fetchingPlaylist, .fetch): .fetching
        // With all parts on disk, a download starts with the joining or the check.
        case (.fetching, .join): .muxing
        case (.fetching, .check), (.muxing, .check): .verifying
        // An earlier process may have been killed after the last rename.
        case (.fetching, .finish), (.verifying, .finish), (.unverified, .finish): .ready
        // A start that the registry cannot record is also a failure.
        case (.queued, .fail), (.unverified, .fail): .failed
        case (_, .fail) where isActive: .failed
        case (_, .interrupt) where isActive: .queued
        case (.queued, .pause), (.paused, .pause): .paused
        case (_, .pause) where isActive: .paused
        case (.paused, .retry), (.failed, .retry), (.missing, .retry): .queued
        case (.ready, .replace): .queued
        case (.unverified, .recheck), (.failed, .recheck), (.missing, .recheck): .unverified
        case (.ready, .lose), (.unverified, .lose), (.failed, .lose): .missing
        case (.missing, .find): .ready
        default: nil
        }
    }
}
