// SPDX-License-Identifier: Apache-2.0

/// The time of the pictures at which a section of subtitles without a film starts.
///
/// Only the maps of the segments and the times of the cues show this time. Each cue is shown while
/// the segment of the cue plays.
package struct TextOrigin {
    /// The seconds by which a cue may lie outside of a segment, because playlists round.
    private static let tolerance = 2.0

    /// The time that the first map names, or nil without a map.
    private(set) var stated: Double?
    /// The earliest and the latest start with which each cue lies in the right segment.
    private var earliest = -Double.infinity
    private var latest = Double.infinity

    /// Creates an origin without a measurement.
    package init() {}

    /// Adds a segment.
    ///
    /// - Parameters:
    ///   - document: The cues of the segment.
    ///   - position: The start of the segment, in seconds from the start of the section.
    ///   - duration: The seconds that the playlist states.
    package mutating func add(_ document: WebVTTDocument, at position: Double, duration: Double) {
        guard let map = document.map else { return }
        stated = stated ?? map.mediaTime
        for cue in document.cues {
            earliest = max(earliest, cue.start + map.offset - position - duration)
            latest = min(latest, cue.end + map.offset - position)
        }
    }

    /// Returns the start.
    ///
    /// - Parameter continued: The start if the times run on from the section before, or nil for the
    ///   first section.
    /// - Returns: The start, or nil without a map.
    package func start(continuing continued: Double?) -> Double? {
        guard let stated else { return nil }
        let candidates = [stated, continued].compactMap(\.self)
        if let candidate = candidates.first(where: isPossible) { return candidate }
        return earliest <= latest ? min(max(stated, earliest), latest) : stated
    }

    private func isPossible(_ start: Double) -> Bool {
        start >= earliest - Self.tolerance && start <= latest + Self.tolerance
    }
}
