// SPDX-License-Identifier: Apache-2.0

/// The relation of the times in the segments of a stream to the times in the file.
package struct SubtitleClock: Hashable, Sendable {
    /// A section of the stream, in which the times run on.
    package struct Section: Hashable, Sendable {
        /// The start of the section in seconds, by the durations of the playlist.
        package var start: Double
        /// The duration in seconds that the playlist states.
        var duration: Double
        /// The start of the section in the file, in seconds.
        var fileStart: Double
        /// The time of the first picture or sound in the section's segments, or nil if unknown.
        package var mediaStart: Double?

        /// Creates a section.
        package init(
            start: Double,
            duration: Double,
            fileStart: Double,
            mediaStart: Double? = nil
        ) {
            self.start = start
            self.duration = duration
            self.fileStart = fileStart
            self.mediaStart = mediaStart
        }

        fileprivate var end: Double { start + duration }
    }

    /// The sections in order.
    package var sections: [Section]

    /// Creates a clock.
    package init(sections: [Section]) {
        self.sections = sections
    }

    /// The seconds by which a cue may lie outside of a section, because playlists round.
    private static let tolerance = 2.0

    /// Finds the time at which a cue of a segment is shown in the file.
    ///
    /// Times without a map count from the start of the stream.
    ///
    /// - Parameters:
    ///   - time: The time in the segment.
    ///   - map: The segment's map, or nil without a map.
    ///   - position: The start of the segment, by the durations of the playlist.
    ///   - section: The number of the segment's section, or nil if the playlist has other sections
    ///     than the pictures.
    /// - Returns: The seconds from the start of the file, or nil without sections.
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
