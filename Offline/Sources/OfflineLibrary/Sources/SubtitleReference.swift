// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A file of subtitles that a page or a site names beside its media.
struct SubtitleReference: Hashable, Sendable {
    /// The number of files to keep of one item.
    static let limit = 16

    /// The address of the file; nil if none of its forms is one that can be kept.
    var address: WebAddress?
    /// The language as the page names it; nil if it names none.
    var language: String?
    /// The name for people; nil if the page states none.
    var name: String?
    /// Whether the item keeps it.
    var isKept = false

    /// The name in a sentence for the user, which is shortened.
    var title: String {
        let title = Title(line: name ?? language ?? "", longest: 40, fallback: "").text
        return title.isEmpty ? SubtitleLanguage.title(nil) : title
    }
}

extension SubtitleReference {
    /// Marks the files to keep.
    ///
    /// - Parameters:
    ///   - offered: The files that a page names.
    ///   - choice: The choice of the item.
    ///   - isStream: Whether the media may have subtitles of their own.
    /// - Returns: All files, and the notes for the user about those that are not kept.
    static func chosen(
        _ offered: [SubtitleReference],
        _ choice: MediaChoice,
        isStream: Bool
    ) -> (files: [SubtitleReference], notes: [String]) {
        guard !offered.isEmpty else { return ([], []) }
        // Without pictures there is nothing to read beside, unless it was asked for.
        let isSoundOnly = choice.quality == .audio && choice.subtitles == .all
        let languages = isSoundOnly ? LanguageChoice.none : choice.subtitles
        let selection = languages.selection(of: Array(offered.indices)) { offered[$0].language }
        var files = offered
        var notes: [String] = []
        let usable = selection.kept.filter { offered[$0].address != nil }
        for index in usable.prefix(limit) { files[index].isKept = true }
        var others = selection.kept.filter { !files[$0].isKept }
        // One without a language may be in one of those.
        if case .only = languages {
            others += offered.indices.filter { offered[$0].language == nil }
        }
        if !others.isEmpty {
            let names = others.prefix(8).map { offered[$0].title }.joined(separator: ", ")
            let more = others.count > 8 ? " and \(others.count - 8) more" : ""
            notes.append("Subtitles were left out: \(names)\(more).")
        }
        let note = LanguageChoice.note(
            selection.missing,
            of: "subtitles",
            offering: offered.map(\.language)
        )
        if !isStream, let note { notes.append(note) }
        return (files, notes)
    }
}
