// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// The files of an item as the program has written them.
struct WrittenFiles {
    /// The result of the comparison with the disk.
    enum Comparison: Hashable {
        /// All files are unchanged: the names of the film and of the subtitles beside it.
        case unchanged([String])
        /// A person has changed the film or subtitles, or added some.
        case changed
        /// The film is not in its place.
        case missing
    }

    let directory: LibraryDirectory
    let registry: Registry

    /// Compares the files of a ready item with the program's records of what it has written.
    func compare(_ item: MediaItem) throws(SQLiteError) -> Comparison {
        guard let name = item.fileName, let stamp = FileStamp(of: directory.mediaFile(name)) else {
            return .missing
        }
        guard stamp.size == item.size, try isTimely(stamp, item) else { return .changed }
        let written = try registry.subtitleFiles(of: item.id)
        let subtitles = subtitles(beside: name)
        for file in subtitles {
            guard let recorded = written[file], FileStamp(of: directory.mediaFile(file)) == recorded
            else { return .changed }
        }
        return .unchanged([name] + subtitles)
    }

    /// Returns whether nothing has written to the film since the program did.
    ///
    /// Earlier versions have recorded only when the item became ready.
    private func isTimely(_ stamp: FileStamp, _ item: MediaItem) throws(SQLiteError) -> Bool {
        if let recorded = try registry.modified(of: item.id) { return stamp.modified == recorded }
        guard let readyAt = item.readyAt else { return false }
        return Double(stamp.modified) / 1e9 <= readyAt.timeIntervalSince1970
    }

    /// Returns the subtitles beside a film; none if they may as well belong to another film.
    private func subtitles(beside film: String) -> [String] {
        let stem = SubtitleFile.stem(of: film)
        let names = SystemFile.names(in: directory.media, startingWith: "\(stem).")
        let isShared = names.contains { other in
            other != film && ContentKind.isMedia(fileName: other)
                && SubtitleFile.stem(of: other) == stem
        }
        return isShared ? [] : SubtitleFile.files(of: film, among: names).map(\.name)
    }
}
