// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineMedia
import OfflineModel
import OfflineStore
import TidingsFiles
import TidingsSQLite

/// The files of an item as the program has written them.
struct WrittenFiles {
    /// The result of the comparison with the disk.
    enum Comparison: Hashable {
        /// All files are unchanged. The value lists the film and the subtitles beside it.
        case unchanged([String])
        /// The user has changed the film or subtitles, or added subtitles.
        case changed
        /// The film is missing.
        case missing
    }

    let directory: LibraryDirectory
    let journal: ItemJournal

    /// Compares the files of a ready item with the registry's record of the written files.
    func compare(_ item: MediaItem) throws(SQLiteError) -> Comparison {
        guard let name = item.fileName, let stamp = FileStamp(of: directory.mediaFile(name)) else {
            return .missing
        }
        guard stamp.size == item.size, try isTimely(stamp, item) else { return .changed }
        let written = try journal.files.subtitleFiles(of: item.id)
        let subtitles = subtitles(beside: name)
        for file in subtitles {
            guard let recorded = written[file], FileStamp(of: directory.mediaFile(file)) == recorded
            else { return .changed }
        }
        return .unchanged([name] + subtitles)
    }

    /// Returns whether the film is unchanged since the program wrote the file.
    ///
    /// Earlier versions recorded only the time at which the item became ready.
    private func isTimely(_ stamp: FileStamp, _ item: MediaItem) throws(SQLiteError) -> Bool {
        if let recorded = try journal.items.row(of: item.id)?.marks.modified {
            return stamp.modified == recorded
        }
        guard let readyAt = item.readyAt else { return false }
        return Double(stamp.modified) / 1e9 <= readyAt.timeIntervalSince1970
    }

    /// Returns the subtitles beside a film, or an empty array if another film could own these
    /// files.
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
