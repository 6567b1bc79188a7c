// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The list of the segments of one rendition.
///
/// For a live stream, these are the present segments.
package struct MediaPlaylist: Hashable, Sendable {
    /// The longest duration of a segment in whole seconds, as stated by the playlist.
    package var targetDuration: Int
    /// The media sequence number of the first segment.
    package var mediaSequence: Int
    /// The segments in order.
    ///
    /// If the stream has ended, at least one segment is not a gap.
    package var segments: [Segment]
    /// The initialization sections of MP4 fragments, in the order of their first use.
    package var maps: [MapSection]
    /// Whether no further segments follow.
    package var hasEnded = true
    /// The number of discontinuities before the first segment, or nil if the playlist states none.
    package var discontinuitySequence: Int?
    /// The chapters that the playlist states.
    package var chapters: [Chapter] = []

    /// The duration of the stream in seconds, as stated by the playlist.
    ///
    /// Complexity: O(*n*) in the number of segments.
    package var duration: Double {
        segments.reduce(0) { $0 + $1.duration }
    }

    /// The times in seconds at which the server lacks segments, with adjacent times joined.
    ///
    /// Complexity: O(*n*) in the number of segments.
    package var gaps: [Range<Double>] {
        var ranges: [Range<Double>] = []
        var time = 0.0
        for segment in segments {
            let end = time + segment.duration
            if segment.isGap {
                let start = ranges.last?.upperBound == time ? ranges.removeLast().lowerBound : time
                ranges.append(start..<end)
            }
            time = end
        }
        return ranges
    }
}
