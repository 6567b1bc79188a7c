// SPDX-License-Identifier: Apache-2.0

/// The notes for the user about a stream that was joined completely.
struct StreamNotes {
    /// The sentences, each for one fact.
    let text: [String]

    private static let rangeLimit = 5

    /// Creates the notes for the sections of a stream in order.
    init(_ sections: [JoinedSection]) {
        var text: [String] = []
        let hasPictures = sections.contains { $0.properties.video != nil }
        text += Self.missing(
            hasPictures ? "Pictures are" : "Sound is",
            sections.flatMap { section in section.missing.map { Self.range($0, in: section) } }
        )
        text += Self.missing(
            "Sound is",
            sections.flatMap { section in section.missingSound.map { Self.range($0, in: section) } }
        )
        if sections.contains(where: \.leavesOutPictures) {
            text.append("The stream has a second picture, which was left out.")
        }
        if let change = Self.changeOfSize(sections) {
            text.append("The size of the picture changes at \(PlayTime.text(change)).")
        }
        self.text = text
    }

    /// Returns the sentence about content that ends early.
    static func short(_ name: String, _ held: Double, of total: Double) -> String {
        // A sum of fractions may be a little less than a whole number.
        let held = PlayTime.text((held + 0.01).rounded(.down))
        return "The server's stream has \(name) for \(held) of \(PlayTime.text(total))."
    }

    private static func range(_ range: Range<Double>, in section: JoinedSection) -> String {
        let (start, end) = (section.start + range.lowerBound, section.start + range.upperBound)
        return "\(PlayTime.text(start.rounded(.down)))–\(PlayTime.text(end.rounded(.up)))"
    }

    private static func missing(_ what: String, _ ranges: [String]) -> [String] {
        guard !ranges.isEmpty else { return [] }
        let more = ranges.count > rangeLimit ? " and more" : ""
        let shown = ranges.prefix(rangeLimit).joined(separator: ", ")
        return ["\(what) missing in the server's stream at \(shown)\(more)."]
    }

    private static func changeOfSize(_ sections: [JoinedSection]) -> Double? {
        let first = sections.first?.properties.video
        return sections.first { section in
            let video = section.properties.video
            return video?.width != first?.width || video?.height != first?.height
        }?.start
    }
}
