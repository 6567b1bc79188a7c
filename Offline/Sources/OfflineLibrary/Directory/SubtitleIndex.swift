// SPDX-License-Identifier: Apache-2.0

/// The subtitles of a folder, found for many films without listing it for each.
struct SubtitleIndex: Sendable {
    /// The names of subtitles by each stem that their films may have.
    private var subtitles: [String: [String]] = [:]
    /// The names of the films that a name of subtitles may also mean, by their stems.
    private var films: [String: [String]] = [:]

    /// Indexes the names of a folder.
    init(_ names: [String]) {
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
    func files(of film: String) -> [SubtitleFile] {
        guard let own = subtitles[SubtitleFile.stem(of: film)] else { return [] }
        let others = own.flatMap { films[SubtitleFile.stem(of: $0)] ?? [] }
        return SubtitleFile.files(of: film, among: own + others)
    }
}
