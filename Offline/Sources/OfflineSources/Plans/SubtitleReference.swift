// SPDX-License-Identifier: Apache-2.0
import OfflineModel
package import TidingsHTTP

/// A subtitle file that a page or a site names beside the media.
package struct SubtitleReference: Hashable, Sendable {
    /// The largest number of files to keep of one item.
    static let limit = 16

    /// The address of the file, or nil if the file has no form that the library can keep.
    package var address: WebAddress?
    /// The language as the page names it, or nil if the page names none.
    package var language: String?
    /// The name for the user, or nil if the page states none.
    package var name: String?
    /// Whether the item keeps the file.
    package var isKept = false

    /// The shortened name, for a sentence to the user.
    package var title: String {
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
    ///   - isStream: Whether the media may contain subtitles.
    /// - Returns: All files, and the notes for the user about files that are not kept.
    static func chosen(
        _ offered: [SubtitleReference],
        _ choice: MediaChoice,
        isStream: Bool
    ) -> (files: [SubtitleReference], notes: [String]) {
        guard !offered.isEmpty else { return ([], []) }
        // Without pictures, subtitles are of no use unless the user asked for certain languages.
        let isSoundOnly = choice.quality == .audio && choice.subtitles == .all
        let languages = isSoundOnly ? LanguageChoice.none : choice.subtitles
        let selection = languages.selection(of: Array(offered.indices)) { offered[$0].language }
        var files = offered
        var notes: [String] = []
        let usable = selection.kept.filter { offered[$0].address != nil }
        for index in usable.prefix(limit) { files[index].isKept = true }
        var others = selection.kept.filter { !files[$0].isKept }
        // A file without a stated language may be in one of the chosen languages.
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
