// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
package import OfflineModel
package import TidingsFiles

/// The files of subtitles beside a film, such as `A.en.vtt`, `A.en.2.vtt` and `A.en.sdh.vtt`
/// beside `A.mp4`.
///
/// The names connect these files with the film. The registry does not list these files.
extension LibraryDirectory {
    /// Returns the folder of an item's finished subtitles, before they are beside the film.
    package func subtitles(of id: ItemID) -> String { "\(work(of: id))/subtitles" }

    /// Returns the folder of the subtitles that an item's page names, until the item is complete.
    package func statedSubtitles(of id: ItemID) -> String { "\(work(of: id))/stated-subtitles" }

    /// Returns the end of a name, after the film's name and a period.
    package static func subtitleSuffix(
        _ language: String,
        mark: String? = nil,
        number: Int
    ) -> String {
        let parts = [language, mark, number == 1 ? nil : "\(number)", "vtt"]
        return parts.compactMap { $0 }.joined(separator: ".")
    }

    /// Returns the names of the subtitles beside a film among the names of the media folder.
    static func subtitleNames(of film: String, among names: some Sequence<String>) -> [String] {
        guard ContentKind.isMedia(fileName: film) else { return [] }
        let stem = stem(of: film)
        return names.filter { name in
            subtitleStem(of: name) == stem && name != film
        }
    }

    /// Returns a closure that returns the names of the subtitles beside a film.
    package func subtitlesByFilm() -> (_ film: String) -> [String] {
        var names: [String: [String]] = [:]
        for name in SystemFile.names(in: media) {
            if let stem = Self.subtitleStem(of: name) { names[stem, default: []].append(name) }
        }
        return { film in
            guard !names.isEmpty, ContentKind.isMedia(fileName: film) else { return [] }
            return names[Self.stem(of: film)] ?? []
        }
    }

    /// Returns the names without the subtitles beside one of the films.
    package static func withoutSubtitles(
        _ names: [String],
        of films: some Sequence<String>
    ) -> [String] {
        guard names.contains(where: SubtitleFile.isSubtitle) else { return names }
        // The stems serve as keys, because a library may have many films.
        let stems = Dictionary(films.filter(ContentKind.isMedia).map { (stem(of: $0), $0) }) {
            first,
            _ in first
        }
        return names.filter { name in
            guard SubtitleFile.isSubtitle(name) else { return true }
            return !SubtitleFile.possibleStems(of: name).contains { possible in
                stems[possible].map { SubtitleFile(name, beside: $0) != nil } ?? false
            }
        }
    }

    /// Moves finished subtitles from the work folder to a film, and never replaces a file there.
    ///
    /// - Returns: The names of the files beside the film.
    @discardableResult
    package func publishSubtitles(
        of id: ItemID,
        beside film: String
    ) throws(SystemError) -> [String] {
        let folder = subtitles(of: id)
        var names: [String] = []
        for suffix in SystemFile.names(in: folder).sorted() {
            guard let kind = Self.kind(ofSuffix: suffix) else { continue }
            names.append(try move("\(folder)/\(suffix)", kind, beside: film))
        }
        return names
    }

    /// Moves the subtitles beside a film in another folder to the film's new place.
    ///
    /// The other folder contains the files `names`.
    func moveSubtitles(
        of film: String,
        in folder: String,
        _ names: [String],
        beside name: String
    ) throws(SystemError) {
        for own in Self.subtitleNames(of: film, among: names).sorted() {
            let suffix = own.dropFirst(Self.stem(of: film).count + 1)
            guard let kind = Self.kind(ofSuffix: String(suffix)) else { continue }
            try move("\(folder)/\(own)", kind, beside: name)
        }
    }

    /// Moves the subtitles beside a film that now has another name.
    ///
    /// This includes subtitles from the user, but none of the `items`, which are files of other
    /// items.
    func moveAllSubtitles(
        of film: String,
        beside name: String,
        except items: Set<String>
    ) throws(SystemError) {
        let stem = Self.stem(of: film)
        guard Self.stem(of: name) != stem else { return }
        let names = SystemFile.names(in: media, startingWith: "\(stem).")
        let isShared = names.contains { other in
            other != film && ContentKind.isMedia(fileName: other) && Self.stem(of: other) == stem
        }
        guard !isShared else { return }
        for file in SubtitleFile.files(of: film, among: names) where !items.contains(file.name) {
            let target = Self.stem(of: name) + file.name.dropFirst(stem.count)
            // If a file with that name exists, both files stay.
            _ = try SystemFile.move(mediaFile(file.name), to: mediaFile(target))
        }
    }

    /// Returns the names of films and subtitles in lowercase, without the extension and the
    /// language.
    package func usedStems() -> Set<String> {
        Set(
            SystemFile.names(in: media).compactMap { name in
                let isOwn = ContentKind.isMedia(fileName: name) || SubtitleFile.isSubtitle(name)
                let film = isOwn ? Self.stem(of: name) : nil
                return (Self.subtitleStem(of: name) ?? film)?.lowercased()
            }
        )
    }

    /// Removes the subtitles beside a film, unless another film differs only in the extension.
    ///
    /// None of the `items` is removed, because these are files of other items.
    package func removeSubtitles(of film: String, except items: Set<String>) throws(SystemError) {
        let names = SystemFile.names(in: media)
        let stem = Self.stem(of: film)
        let isShared = names.contains { other in
            other != film && ContentKind.isMedia(fileName: other) && Self.stem(of: other) == stem
        }
        guard !isShared else { return }
        for name in Self.subtitleNames(of: film, among: names) where !items.contains(name) {
            try SystemFile.remove(mediaFile(name))
        }
    }

    @discardableResult
    private func move(
        _ path: String,
        _ kind: (language: String, mark: String?),
        beside film: String
    ) throws(SystemError) -> String {
        var number = 1
        while true {
            let suffix = Self.subtitleSuffix(kind.language, mark: kind.mark, number: number)
            let name = "\(Self.stem(of: film)).\(suffix)"
            if try SystemFile.move(path, to: mediaFile(name)) { return name }
            number += 1
        }
    }

    private static func stem(of film: String) -> String { SubtitleFile.stem(of: film) }

    /// Returns the name before the language, or nil for a name that does not belong to subtitles.
    private static func subtitleStem(of name: String) -> String? {
        guard name.hasSuffix(".vtt") else { return nil }
        let pattern = /(.+?)\.[a-z]{2,3}(?:\.(?:forced|sdh|cc|hi))?(?:\.[0-9]{1,3})?\.vtt/
        return name.wholeMatch(of: pattern).map { String($0.1) }
    }

    /// Returns the language and the mark in the end of a name, or nil for any other name.
    private static func kind(ofSuffix suffix: String) -> (language: String, mark: String?)? {
        let pattern = /([a-z]{2,3})(?:\.(forced|sdh|cc|hi))?(?:\.[0-9]{1,3})?\.vtt/
        return suffix.wholeMatch(of: pattern).map { (String($0.1), $0.2.map(String.init)) }
    }
}
