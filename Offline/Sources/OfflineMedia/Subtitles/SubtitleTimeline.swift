// SPDX-License-Identifier: Apache-2.0
import TidingsErrors

/// The cues of one language, collected from the segments.
///
/// The timeline makes one cue of a cue that continues in the next segment, or that a packager
/// repeats there.
package struct SubtitleTimeline: Sendable {
    /// The content by which the timeline recognizes a cue in the next segment.
    private struct Key: Hashable {
        var text: String
        var settings: String
    }

    /// The seconds by which the times of one cue may differ in two segments.
    private static let tolerance = 0.05

    private let clock: SubtitleClock
    private let duration: Double
    private let limits: SubtitleLimits
    private var entries: [SubtitleCue] = []
    /// The index and the segment of the last cue with this content.
    private var last: [Key: (index: Int, segment: Int)] = [:]
    private var bytes = 0
    private var segment = 0

    /// The number of cues that could not be read.
    package private(set) var unreadable = 0
    /// The number of cues whose times are outside of the film.
    package private(set) var outside = 0

    /// Creates a timeline without cues.
    ///
    /// - Parameters:
    ///   - clock: The times of the film.
    ///   - duration: The duration of the film in seconds.
    ///   - limits: The largest subtitles to keep.
    package init(_ clock: SubtitleClock, duration: Double, limits: SubtitleLimits = .init()) {
        self.clock = clock
        self.duration = duration
        self.limits = limits
    }

    /// Adds the cues of the next segment.
    ///
    /// - Throws: `.tooLarge`.
    package mutating func add(
        _ document: WebVTTDocument,
        at position: Double,
        in section: Int?
    ) throws(MediaError) {
        defer { segment += 1 }
        unreadable += document.unreadable
        for cue in document.cues {
            guard
                let start = clock.fileTime(
                    of: cue.start,
                    document.map,
                    segmentAt: position,
                    in: section
                )
            else { continue }
            var placed = cue
            placed.start = max(0, start)
            placed.end = min(duration, start + cue.end - cue.start)
            guard placed.start < placed.end else {
                outside += 1
                continue
            }
            try add(placed)
        }
    }

    /// The cues in the order of their starts.
    package var cues: [SubtitleCue] {
        entries.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
    }

    private mutating func add(_ cue: SubtitleCue) throws(MediaError) {
        let key = Key(text: cue.text, settings: cue.settings)
        if let (index, number) = last[key], number != segment {
            let known = entries[index]
            if cue.start <= known.end + Self.tolerance, cue.end >= known.start - Self.tolerance {
                entries[index].start = min(known.start, cue.start)
                entries[index].end = max(known.end, cue.end)
                last[key] = (index, segment)
                return
            }
        }
        bytes += cue.text.utf8.count
        guard entries.count < limits.cues, bytes <= limits.textBytes else {
            throw MediaError(
                .tooLarge,
                "The subtitles have more than \(limits.cues) texts or \(limits.textBytes) bytes, "
                    + "the limit."
            )
        }
        last[key] = (entries.count, segment)
        entries.append(cue)
    }
}
