// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles

/// A file of subtitles beside a film: one of this program, or one that a person put there.
///
/// Such a file has the name of the film, perhaps a language and a mark, and an extension, such as
/// `A.srt`, `A.en.vtt`, `A.pt-BR.srt` or `A.en.forced.srt` beside `A.mp4`.
struct SubtitleFile: Hashable, Sendable {
    /// The format of the content, by the extension of the name.
    enum Format: String, Hashable, Sendable {
        case webVTT = "vtt"
        case subRip = "srt"
    }

    /// The largest number of files to list for a film.
    static let limit = 64

    /// The name in the folder of the film.
    let name: String
    /// The format of the content.
    let format: Format
    /// The language in the name in small letters, such as `en`; nil if it has none.
    let language: String?
    /// The mark after the language: `forced`, `sdh`, `cc` or `hi`; nil without one.
    private let mark: String?
    /// The number of several files of the language; nil without one.
    private let number: String?

    /// Creates the description of a file; nil if its name is not that of subtitles of the film.
    init?(_ name: String, beside film: String) {
        let stem = Self.stem(of: film)
        guard name.hasPrefix("\(stem).") else { return nil }
        let rest = String(name.dropFirst(stem.count + 1)).lowercased()
        let pattern =
            #/
            (?:([a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2})(?:\.(forced|sdh|cc|hi))?(?:\.([0-9]{1,3}))?\.)?
            (vtt|srt)
            /#
        guard let match = rest.wholeMatch(of: pattern), let format = Format(rawValue: "\(match.4)")
        else { return nil }
        self.name = name
        self.format = format
        let code = match.1.map(String.init)
        language = code == "und" ? nil : code
        mark = match.2.map(String.init)
        number = match.3.map(String.init)
    }

    /// Returns the subtitles of a film among the names of its folder, sorted by name.
    ///
    /// A name that belongs to a film with a longer name, such as `A.en.mp4`, is that film's.
    static func files(of film: String, among names: some Sequence<String>) -> [SubtitleFile] {
        guard ContentKind.isMedia(fileName: film) else { return [] }
        let names = Array(names)
        let others = Set(names.filter { $0 != film && ContentKind.isMedia(fileName: $0) }.map(stem))
        let found = names.compactMap { SubtitleFile($0, beside: film) }
        let own = found.filter { file in
            let ownStem = stem(of: file.name)
            return ownStem == stem(of: film) || !others.contains(ownStem)
        }
        return Array(own.sorted { $0.name < $1.name }.prefix(limit))
    }

    /// The name for a person, such as `English` or `English (forced)`.
    var title: String {
        let code = language?.split(separator: "-").first.map(String.init)
        let title = SubtitleLanguage.title(code)
        let region = language?.split(separator: "-").dropFirst().joined(separator: "-") ?? ""
        let details = [region.uppercased(), mark ?? "", number ?? ""].filter { !$0.isEmpty }
        return details.isEmpty ? title : "\(title) (\(details.joined(separator: ", ")))"
    }

    /// Returns the texts of a file's content as WebVTT that holds nothing but texts.
    ///
    /// - Throws: `.notMedia` for other content, and `.tooLarge`.
    func webVTT(of content: [UInt8]) throws(MediaError) -> Data {
        WebVTTWriter.file(try WebVTTDocument(content, format: format).cues)
    }

    /// Returns whether a name has an extension of subtitles.
    static func isSubtitle(_ name: String) -> Bool {
        let end = name.suffix(4).lowercased()
        return end == ".vtt" || end == ".srt"
    }

    /// Returns the names that the film of subtitles may have, without their extensions.
    static func possibleStems(of name: String) -> [String] {
        var stems = [stem(of: name)]
        for _ in 0..<3 { stems.append(stem(of: stems[stems.count - 1])) }
        return stems
    }

    /// Returns a name without its extension.
    static func stem(of name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}

extension LibraryDirectory {
    /// Returns the subtitles beside a film in the media folder.
    func subtitleFiles(of film: String) -> [SubtitleFile] {
        let prefix = SubtitleFile.stem(of: film) + "."
        let names = SystemFile.names(in: media, startingWith: prefix)
        return SubtitleFile.files(of: film, among: names)
    }

    /// Returns the names of the subtitles beside a film in the media folder.
    package func subtitleNames(of film: String) -> [String] { subtitleFiles(of: film).map(\.name) }
}
