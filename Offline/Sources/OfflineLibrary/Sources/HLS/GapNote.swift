// SPDX-License-Identifier: Apache-2.0

/// The note for the user about segments that the server lacks.
enum GapNote {
    /// The number of time ranges that a note names.
    private static let rangeLimit = 5

    /// Returns the sentences about gaps, in seconds, in a track of which a file keeps this content.
    static func text(
        _ gaps: [Range<Double>],
        _ content: TrackDescription.Content
    ) -> [String] {
        guard !gaps.isEmpty else { return [] }
        let ranges = gaps.prefix(rangeLimit).map { gap in
            "\(PlayTime.text(gap.lowerBound))–\(PlayTime.text(gap.upperBound))"
        }
        let more = gaps.count > rangeLimit ? " and \(gaps.count - rangeLimit) more" : ""
        let subject =
            switch content {
            case .everything: "A part of the stream is"
            case .pictures: "Pictures are"
            case .sound: "Sound is"
            case .subtitles: "Subtitles are"
            }
        return [
            "\(subject) missing on the server at \(ranges.joined(separator: ", "))\(more)."
        ]
    }
}
