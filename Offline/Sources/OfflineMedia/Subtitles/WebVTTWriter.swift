// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineModel

/// Writes cues as a WebVTT file.
package enum WebVTTWriter {
    /// Returns the file, which includes the places of the cues.
    package static func file(_ cues: [SubtitleCue]) -> Data {
        var text = "WEBVTT\n"
        for cue in cues {
            let settings = cue.settings.isEmpty ? "" : " \(cue.settings)"
            text += "\n\(WebVTTTime.text(cue.start)) --> \(WebVTTTime.text(cue.end))\(settings)\n"
            text += cue.text + "\n"
        }
        return Data(text.utf8)
    }

    /// Returns the cues one after the other, as a track of a film requires.
    ///
    /// Cues that are shown at the same time become one cue without a place.
    ///
    /// - Parameters:
    ///   - cues: The cues in the order of their starts.
    ///   - limit: The number of cues to show at the same time. Other cues are left out.
    /// - Returns: The cues in order, of which none overlap.
    package static func consecutive(_ cues: [SubtitleCue], limit: Int) -> [SubtitleCue] {
        let times = Set(cues.flatMap { [$0.start, $0.end] }).sorted()
        var result: [SubtitleCue] = []
        var waiting = cues[...]
        var shown: [SubtitleCue] = []
        for (start, end) in zip(times, times.dropFirst()) {
            shown.removeAll { $0.end <= start }
            while let next = waiting.first, next.start <= start {
                waiting = waiting.dropFirst()
                if shown.count < limit, next.end > start { shown.append(next) }
            }
            guard !shown.isEmpty else { continue }
            let text = shown.map(\.text).joined(separator: "\n")
            if let last = result.last, last.end == start, last.text == text {
                result[result.count - 1].end = end
            } else {
                result.append(SubtitleCue(start: start, end: end, text: text))
            }
        }
        return result
    }
}
