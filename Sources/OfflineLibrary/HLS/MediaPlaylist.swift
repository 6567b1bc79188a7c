// SPDX-License-Identifier: Apache-2.0

/// The segments of one rendition, all of them: the stream has ended.
package struct MediaPlaylist: Hashable, Sendable {
    /// The longest segment in whole seconds, as the playlist says.
    package var targetDuration: Int
    /// The number of the first segment.
    package var mediaSequence: Int
    /// The segments in order; at least one.
    package var segments: [Segment]
    /// The section to put before the first segment, in a stream of MP4 fragments.
    package var map: MapSection?

    /// The seconds the whole stream plays, as the playlist says.
    ///
    /// Costs a walk over the segments.
    package var duration: Double {
        segments.reduce(0) { $0 + $1.duration }
    }
}
