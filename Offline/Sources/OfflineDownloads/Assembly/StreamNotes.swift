// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The notes for the user about a stream that was joined completely.
struct StreamNotes {
    /// The sentences, each for one fact.
    let text: [String]

    private static let rangeLimit = 5

    /// Creates the notes for the sections of a stream in order.
    init(_ sections: [JoinedSection]) {
        var text: [String] = []
        text += Self.sentences(
            { Self.missing($0, Self.ranges($1, in: sections)) },
            ["Pictures are", "Sound is", "Pictures and sound are"]
        )
        text += Self.sentences(
            { Self.short($0, Self.total($1, of: sections)) },
            ["pictures", "sound", "pictures and sound"]
        )
        if let times = Self.list(
            sections.flatMap { section in
                section.omissions.unreadable.map { Self.range($0, in: section) }
            }
        ) {
            text.append("Players cannot show the pictures of the server's stream at \(times).")
        }
        if sections.contains(where: \.omissions.leavesOutPictures) {
            text.append("The stream has a second picture, which was left out.")
        }
        if let change = Self.changeOfSize(sections) {
            text.append("The size of the picture changes at \(PlayTime.text(change)).")
        }
        self.text = text
    }

    /// Returns the sentence about content that ends early, or that lacks a bit of each segment.
    static func short(_ name: String, _ held: Double, of total: Double) -> String {
        // A sum of fractions may be a little less than a whole number.
        let held = PlayTime.text((held + 0.01).rounded(.down))
        return "The server's stream has \(name) for \(held) of \(PlayTime.text(total))."
    }

    /// Returns the sentences about pictures and sound, or one sentence about both if both are the
    /// same.
    ///
    /// The names are the words for pictures, for sound, and for both. The closure returns nil for a
    /// kind without a fact.
    private static func sentences(
        _ sentence: (String, MediaTrack.Kind) -> String?,
        _ names: [String]
    ) -> [String] {
        let together = sentence(names[2], .video)
        if let together, together == sentence(names[2], .audio) { return [together] }
        return [sentence(names[0], .video), sentence(names[1], .audio)].compactMap { $0 }
    }

    private static func ranges(
        _ kind: MediaTrack.Kind,
        in sections: [JoinedSection]
    ) -> [String] {
        sections.flatMap { section in
            (section.omissions.times[kind] ?? []).map { range($0, in: section) }
        }
    }

    private static func total(
        _ kind: MediaTrack.Kind,
        of sections: [JoinedSection]
    ) -> SectionOmissions.Total {
        sections.compactMap { $0.omissions.totals[kind] }.reduce(SectionOmissions.Total(), +)
    }

    private static func short(_ name: String, _ total: SectionOmissions.Total) -> String? {
        total.isShort ? short(name, total.held, of: total.stated) : nil
    }

    private static func range(_ range: Range<Double>, in section: JoinedSection) -> String {
        // The tracks of the earlier sections may each be a few hundredths longer than stated.
        let start = section.start + range.lowerBound + 0.1
        let end = section.start + range.upperBound - 0.1
        return "\(PlayTime.text(start.rounded(.down)))–\(PlayTime.text(end.rounded(.up)))"
    }

    private static func missing(_ name: String, _ ranges: [String]) -> String? {
        list(ranges).map { "\(name) missing in the server's stream at \($0)." }
    }

    private static func list(_ ranges: [String]) -> String? {
        guard !ranges.isEmpty else { return nil }
        let more = ranges.count > rangeLimit ? " and more" : ""
        return ranges.prefix(rangeLimit).joined(separator: ", ") + more
    }

    private static func changeOfSize(_ sections: [JoinedSection]) -> Double? {
        let first = sections.first?.properties.video
        return sections.first { section in
            let video = section.properties.video
            return video?.width != first?.width || video?.height != first?.height
        }?.start
    }
}
