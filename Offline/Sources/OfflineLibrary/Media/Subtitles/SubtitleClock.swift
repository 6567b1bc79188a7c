// SPDX-License-Identifier: Apache-2.0

/// The relation of the times in the segments of a stream to those in its file.
struct SubtitleClock: Hashable, Sendable {
    /// A section of the stream, in which the times run on.
    struct Section: Hashable, Sendable {
        /// When it starts, in seconds by the durations of the playlist.
        var start: Double
        /// The seconds that the playlist states.
        var duration: Double
        /// When it starts in the file, in seconds.
        var fileStart: Double
        /// The time of its first picture or sound in the segments; nil if it is unknown.
        var mediaStart: Double?

        fileprivate var end: Double { start + duration }
    }

    /// The sections in order.
    var sections: [Section]

    /// The seconds by which a text may be outside of its section, because playlists round.
    private static let tolerance = 2.0

    /// Finds when a text of a segment is shown in the file.
    ///
    /// Times without a map count from the start of the stream.
    ///
    /// - Parameters:
    ///   - time: The time in the segment.
    ///   - map: The segment's map; nil without one.
    ///   - position: When the segment starts, by the durations of its playlist.
    ///   - section: The number of its section; nil if the playlist has other sections than the
    ///     pictures.
    /// - Returns: The seconds from the start of the file; nil without sections.
    func fileTime(
        of time: Double,
        _ map: TimestampMap?,
        segmentAt position: Double,
        in section: Int?
    ) -> Double? {
        guard let own = section.map({ sections[$0] }) ?? self.section(at: position) else {
            return nil
        }
        var shown = time
        if let map, let mediaStart = own.mediaStart {
            let expected = position - own.start
            let relative = time + map.offset - mediaStart
            shown =
                position + (relative - expected).remainder(dividingBy: TimestampMap.wrap)
        }
        let isInside =
            section != nil
            || (own.start - Self.tolerance...own.end + Self.tolerance).contains(shown)
        let place = isInside ? own : self.section(at: shown) ?? own
        return place.fileStart + shown - place.start
    }

    private func section(at time: Double) -> Section? {
        sections.first { time < $0.end } ?? sections.last
    }
}
