// SPDX-License-Identifier: Apache-2.0

/// What a person should know about a stream that was joined completely.
struct StreamNotes {
    /// The sentences, each for one fact.
    let text: [String]

    private static let rangeLimit = 5

    /// Creates the notes for the sections of a stream in order.
    init(_ sections: [JoinedSection]) {
        var text: [String] = []
        let missing = sections.flatMap { section in
            section.missing.map { section.start + $0.lowerBound..<section.start + $0.upperBound }
        }
        if !missing.isEmpty { text.append(Self.missing(missing, sections)) }
        if sections.contains(where: \.leavesOutPictures) {
            text.append("The stream has a second picture, which was left out.")
        }
        if let change = Self.changeOfSize(sections) {
            text.append("The size of the picture changes at \(PlayTime.text(change)).")
        }
        self.text = text
    }

    private static func missing(_ ranges: [Range<Double>], _ sections: [JoinedSection]) -> String {
        let shown = ranges.prefix(rangeLimit).map {
            "\(PlayTime.text($0.lowerBound))–\(PlayTime.text($0.upperBound))"
        }
        let more = ranges.count > shown.count ? " and more" : ""
        let what = sections.allSatisfy { $0.properties.video == nil } ? "Sound" : "Pictures"
        return
            "\(what) are missing in the server's stream at \(shown.joined(separator: ", "))\(more)."
            .replacing("Sound are", with: "Sound is")
    }

    private static func changeOfSize(_ sections: [JoinedSection]) -> Double? {
        let first = sections.first?.properties.video
        return sections.first { section in
            let video = section.properties.video
            return video?.width != first?.width || video?.height != first?.height
        }?.start
    }
}
