// SPDX-License-Identifier: Apache-2.0

/// A point of a download at which a kill of the process neither loses nor repeats work.
///
/// The tests kill the program at each checkpoint.
package enum Checkpoint: String, CaseIterable, Sendable {
    /// A new version of a file is recorded, but none of its bytes are written.
    case afterVersionCommit
    /// A segment is synced under its temporary name.
    case beforeSegmentRename
    /// A segment has its final name.
    case afterSegmentRename
    /// A segment has its final name but is not recorded.
    case beforeSegmentCommit
    /// The muxer has received a part of the segments.
    case duringMux
    /// The name of the finished file is recorded, but the file does not have this name yet.
    case beforeFinalRename
    /// The finished file has its final name, but the item is not recorded as ready.
    case afterFinalRename
    /// A document of a feed is parsed, but none of the contents are recorded.
    case beforeFeedCommit
    /// The new entries of a feed and their items are recorded, but no download has started.
    case afterFeedCommit
}
