// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The subtitles and the chapters that a page states beside media, before addresses are resolved.
///
/// The number and the length of all values are limited.
struct StatedTexts {
    /// A subtitle file.
    struct Subtitle: Hashable {
        var reference: String
        var language: String?
        var name: String?
    }

    /// The maximum number of files.
    static let limit = 64

    private(set) var subtitles: [Subtitle] = []
    /// The address of the chapters.
    private(set) var chapters: String?
    /// The chapters that the page itself contains.
    private(set) var marks: [(start: Double, title: String)] = []
    /// Whether the page has the spoken text in a form that is not kept.
    var hasTranscript = false

    /// Whether there is nothing to keep or to name.
    var isEmpty: Bool {
        subtitles.isEmpty && chapters == nil && marks.isEmpty && !hasTranscript
    }

    /// Adds a subtitle file, unless the file is already known.
    mutating func add(_ subtitle: Subtitle) {
        guard subtitles.count < Self.limit, !subtitle.reference.isEmpty,
            subtitle.reference.utf8.count <= PageFindings.addressLength,
            !subtitles.contains(where: { $0.reference == subtitle.reference })
        else { return }
        subtitles.append(
            Subtitle(
                reference: subtitle.reference,
                language: subtitle.language.map { String($0.prefix(35)) },
                name: subtitle.name.map { String($0.prefix(64)) }
            )
        )
    }

    /// Adds the address of chapters.
    ///
    /// The first address counts.
    mutating func add(chapters reference: String) {
        guard chapters == nil, !reference.isEmpty,
            reference.utf8.count <= PageFindings.addressLength
        else { return }
        chapters = reference
    }

    /// Adds a chapter.
    mutating func add(markAt start: Double, _ title: String) {
        guard marks.count < Chapter.limit else { return }
        marks.append((start, title))
    }

    /// Adds the subtitles and chapters of another statement about the same media.
    mutating func add(_ other: StatedTexts) {
        for subtitle in other.subtitles { add(subtitle) }
        if let reference = other.chapters { add(chapters: reference) }
        if marks.isEmpty {
            marks = other.marks
        } else {
            for mark in other.marks { add(markAt: mark.start, mark.title) }
        }
        hasTranscript = hasTranscript || other.hasTranscript
    }

    /// Returns whether an address has the name of a subtitle or chapter file.
    static func isFile(_ reference: String) -> Bool {
        let bytes = reference.utf8
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let end = String(decoding: path.suffix(4), as: UTF8.self).lowercased()
        return end == ".vtt" || end == ".srt"
    }

    /// Returns whether a name indicates a text file for scripts, such as a list of small pictures.
    static func isForScripts(_ name: String) -> Bool {
        let name = name.suffix(256).lowercased()
        return ["thumb", "sprite", "storyboard", "preview", "metadata"].contains(
            where: name.contains
        )
    }
}
