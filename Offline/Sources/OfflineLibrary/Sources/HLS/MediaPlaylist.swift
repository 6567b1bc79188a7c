// SPDX-License-Identifier: Apache-2.0

/// The complete list of the segments of one rendition; the stream has ended.
package struct MediaPlaylist: Hashable, Sendable {
    /// The longest duration of a segment in whole seconds, as stated by the playlist.
    package var targetDuration: Int
    /// The media sequence number of the first segment.
    package var mediaSequence: Int
    /// The segments in order; at least one.
    package var segments: [Segment]
    /// The initialization sections of MP4 fragments, in the order of their first use.
    package var maps: [MapSection]

    /// The duration of the stream in seconds, as stated by the playlist.
    ///
    /// Complexity: O(*n*) in the number of segments.
    package var duration: Double {
        segments.reduce(0) { $0 + $1.duration }
    }
}
