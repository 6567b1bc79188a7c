// SPDX-License-Identifier: Apache-2.0

/// What is changed in segments on their way into the tool that joins them.
package enum SegmentFilter: Hashable, Sendable {
    /// Nothing.
    case none
    /// The ID3 tags before each segment are left out.
    case packedAudio
    /// The packets' counters are made to go on from segment to segment.
    ///
    /// `discontinuities` are the indexes of segments before which they may start anew. With `check`
    /// every other jump, within a segment or between two, is refused as damage.
    case transportStream(discontinuities: Set<Int>, check: Bool)
}
