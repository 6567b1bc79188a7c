// SPDX-License-Identifier: Apache-2.0
package import Foundation
import OfflineModel
import Tidings
import TidingsFiles

/// A subtitle file beside a film, from this program or from the user.
///
/// The name consists of the name of the film, perhaps a language and a mark, and an extension.
/// Examples beside `A.mp4` are `A.srt`, `A.en.vtt`, `A.pt-BR.srt` and `A.en.forced.srt`.
package struct SubtitleFile: Hashable, Sendable {
    /// The format of the content, according to the extension of the name.
    package enum Format: String, Hashable, Sendable {
        case webVTT = "vtt"
        case subRip = "srt"
    }

    /// The largest number of files to list for a film.
    static let limit = 64

    /// The name in the folder of the film.
    package let name: String
    /// The format of the content.
    package let format: Format
    /// The language in the name in lowercase letters, such as `en`, or nil without one.
    let language: String?
    /// The mark after the language (`forced`, `sdh`, `cc` or `hi`), or nil without one.
    private let mark: String?
    /// The number that distinguishes several files of the language, or nil without one.
    private let number: String?

    /// Creates the description of a file, or returns nil if the name does not match the film.
    package init?(_ name: String, beside film: String) {
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
    /// The result leaves out subtitles of a film with a longer name, such as `A.en.mp4`.
    package static func files(of film: String, among names: some Sequence<String>) -> [SubtitleFile]
    {
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

    /// The name to display, such as `English` or `English (forced)`.
    var title: String {
        let code = language?.split(separator: "-").first.map(String.init)
        let title = SubtitleLanguage.title(code)
        let region = language?.split(separator: "-").dropFirst().joined(separator: "-") ?? ""
        let details = [region.uppercased(), mark ?? "", number ?? ""].filter { !$0.isEmpty }
        return details.isEmpty ? title : "\(title) (\(details.joined(separator: ", ")))"
    }

    /// Returns the text of a file's content as WebVTT that contains nothing but text.
    ///
    /// - Throws: `.notMedia` for other content, and `.tooLarge`.
    package func webVTT(of content: [UInt8]) throws(MediaError) -> Data {
        WebVTTWriter.file(try WebVTTDocument(content, format: format).cues)
    }

    /// Returns whether a name has a subtitle extension.
    package static func isSubtitle(_ name: String) -> Bool {
        let end = name.suffix(4).lowercased()
        return end == ".vtt" || end == ".srt"
    }

    /// Returns the names that the film of a subtitle file may have, without the extension.
    package static func possibleStems(of name: String) -> [String] {
        var stems = [stem(of: name)]
        for _ in 0..<3 { stems.append(stem(of: stems[stems.count - 1])) }
        return stems
    }

    /// Returns a name without the extension.
    package static func stem(of name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}

extension LibraryDirectory {
    /// Returns the subtitles beside a film in the media folder.
    package func subtitleFiles(of film: String) -> [SubtitleFile] {
        let prefix = SubtitleFile.stem(of: film) + "."
        let names = SystemFile.names(in: media, startingWith: prefix)
        return SubtitleFile.files(of: film, among: names)
    }

    /// Returns the names of the subtitles beside a film in the media folder.
    package func subtitleNames(of film: String) -> [String] { subtitleFiles(of: film).map(\.name) }
}
