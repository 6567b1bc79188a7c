// SPDX-License-Identifier: Apache-2.0

/// A change to the segments before they reach the tool that joins them.
package enum SegmentFilter: Hashable, Sendable {
    /// No change.
    case none
    /// Removes the ID3 tags before each segment.
    case packedAudio
    /// Renumbers the continuity counters so that the numbers continue from segment to segment.
    ///
    /// With `check`, a jump within a segment or between two segments is an error.
    case transportStream(check: Bool)
}
