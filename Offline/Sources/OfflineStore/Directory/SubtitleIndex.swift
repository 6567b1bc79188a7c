// SPDX-License-Identifier: Apache-2.0
package import OfflineMedia
import OfflineModel

/// An index of a folder's subtitles, which serves many films with a single listing of the folder.
package struct SubtitleIndex: Sendable {
    /// The names of subtitles by each stem that a matching film may have.
    private var subtitles: [String: [String]] = [:]
    /// The names of other films to which a subtitle name may refer, by stem.
    private var films: [String: [String]] = [:]

    /// Indexes the names of a folder.
    package init(_ names: [String]) {
        for name in names where SubtitleFile.isSubtitle(name) {
            for stem in Set(SubtitleFile.possibleStems(of: name)) {
                subtitles[stem, default: []].append(name)
            }
        }
        guard !subtitles.isEmpty else { return }
        for name in names where ContentKind.isMedia(fileName: name) {
            films[SubtitleFile.stem(of: name), default: []].append(name)
        }
    }

    /// Returns the subtitles beside a film, as `LibraryDirectory.subtitleFiles(of:)` does.
    package func files(of film: String) -> [SubtitleFile] {
        guard let own = subtitles[SubtitleFile.stem(of: film)] else { return [] }
        let others = own.flatMap { films[SubtitleFile.stem(of: $0)] ?? [] }
        return SubtitleFile.files(of: film, among: own + others)
    }
}
