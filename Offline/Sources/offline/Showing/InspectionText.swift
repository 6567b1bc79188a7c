// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources

/// The text of an inspection for the user.
struct InspectionText {
    /// The lines, without control characters.
    let lines: [String]

    /// Writes the facts that are known, one in each line.
    ///
    /// - Parameters:
    ///   - inspection: The facts.
    ///   - command: The command that downloads one of the media of a page.
    init(_ inspection: MediaInspection, _ command: SuggestedCommand) {
        var lines: [String] = [inspection.title]
        func add(_ name: String, _ value: String?) {
            if let value { lines.append("  \(name): \(value)") }
        }
        add("Kind", inspection.kind.map { Self.kind($0, inspection.mediaType) })
        add("Server", inspection.host)
        add("Length", inspection.isLive ? "live" : inspection.duration.map(PlayTime.text))
        add("Size", inspection.size.map(ByteCount.text))
        lines += Self.list("Qualities", inspection.qualities.map(Self.quality))
        lines += Self.list("Sound", inspection.audio.map(Self.language))
        lines += Self.list("Subtitles", inspection.subtitles.map(Self.language))
        if inspection.candidates.count > 1 {
            lines += Self.list(
                "Media of the page\(command.reminder(namingReferrer: true))",
                inspection.candidates.map { Self.candidate($0, command) }
            )
        }
        lines += Self.list("Notes", inspection.notes)
        self.lines = lines.map(Terminal.clean)
    }

    private static func list(_ title: String, _ entries: [String]) -> [String] {
        entries.isEmpty ? [] : ["  \(title):"] + entries.map { "    \($0)" }
    }

    private static func kind(_ kind: ItemKind, _ mediaType: String?) -> String {
        let names = [
            "file": "file", "stream": "HLS stream", "dash": "DASH stream", "page": "web page",
            "site": "files of a site",
        ]
        let type = mediaType.map { " (\($0))" } ?? ""
        return (names[kind.rawValue] ?? kind.rawValue) + type
    }

    private static func quality(_ quality: MediaOffer.Quality) -> String {
        let height = quality.height.map { "\($0)p" } ?? "unknown size"
        let bandwidth = quality.bandwidth.map { "\(($0 + 500) / 1_000) kbit/s" }
        let codecs = quality.codecs.isEmpty ? nil : quality.codecs.joined(separator: " ")
        let facts = [height, bandwidth, codecs, quality.problem].compactMap { $0 }
        return mark(quality.isKept) + facts.joined(separator: ", ")
    }

    private static func language(_ language: MediaOffer.Language) -> String {
        let names = [language.language, language.name].compactMap { $0 }
        return mark(language.isKept)
            + (names.isEmpty ? "unnamed" : names.joined(separator: ", "))
    }

    private static func mark(_ isKept: Bool) -> String { isKept ? "* " : "  " }

    private static func candidate(
        _ candidate: MediaCandidate,
        _ command: SuggestedCommand
    ) -> String {
        let facts = [
            candidate.format, candidate.height.map { "\($0)p" },
            candidate.duration.map(PlayTime.text),
        ]
        return "\(candidate.title) (\(facts.compactMap { $0 }.joined(separator: ", "))): "
            + candidate.command(command)
    }
}
