// SPDX-License-Identifier: Apache-2.0

/// The time of the pictures at which a section of subtitles without a film starts.
///
/// Nothing but the maps of the segments and the times of their texts shows it: each text is shown
/// while its segment plays.
struct TextOrigin {
    /// The seconds by which a text may be outside of its segment, because playlists round.
    private static let tolerance = 2.0

    /// The time that the first map names; nil without a map.
    private(set) var stated: Double?
    /// The earliest and the latest start with which each text is in its segment.
    private var earliest = -Double.infinity
    private var latest = Double.infinity

    /// Adds a segment.
    ///
    /// - Parameters:
    ///   - document: Its texts.
    ///   - position: When it starts, in seconds from the start of the section.
    ///   - duration: The seconds that the playlist states.
    mutating func add(_ document: WebVTTDocument, at position: Double, duration: Double) {
        guard let map = document.map else { return }
        stated = stated ?? map.mediaTime
        for cue in document.cues {
            earliest = max(earliest, cue.start + map.offset - position - duration)
            latest = min(latest, cue.end + map.offset - position)
        }
    }

    /// Returns the start.
    ///
    /// - Parameter continued: The start if the times run on from the section before; nil for the
    ///   first one.
    /// - Returns: Nil without a map.
    func start(continuing continued: Double?) -> Double? {
        guard let stated else { return nil }
        let candidates = [stated, continued].compactMap(\.self)
        if let candidate = candidates.first(where: isPossible) { return candidate }
        return earliest <= latest ? min(max(stated, earliest), latest) : stated
    }

    private func isPossible(_ start: Double) -> Bool {
        start >= earliest - Self.tolerance && start <= latest + Self.tolerance
    }
}
