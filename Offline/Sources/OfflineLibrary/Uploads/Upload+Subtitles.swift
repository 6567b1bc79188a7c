// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineMedia
import OfflineModel
import OfflineStore
import TidingsFiles

/// Subtitles that a user uploads for a film of the library.
extension Upload {
    /// The film and the name of the subtitles beside it.
    struct Place: Sendable {
        let film: ItemID
        let file: SubtitleFile
    }

    /// Moves the file beside the film, as if the user had put the file there.
    ///
    /// - Returns: The film.
    /// - Throws: `LibraryError`: `.notFound` if the film is gone or has another name, `.notMedia`
    ///   for a file without subtitles, and `.subtitlesExist`.
    func enter(at place: Place, _ flag: CancellationFlag) throws -> Result {
        let item = try library.item(place.film)
        guard let film = item.fileName, SubtitleFile(place.file.name, beside: film) != nil else {
            throw LibraryError(
                .notFound,
                "The film of \(name.quoted) has another name now. Add the subtitles again."
            )
        }
        let target = directory.mediaFile(place.file.name)
        guard try SystemFile.move(path, to: target) else {
            if try hasContent(of: target, flag) { return Result(item: item, isNew: false) }
            throw LibraryError(
                .subtitlesExist,
                "“\(place.file.name)” is beside the film already, with other texts. Put another "
                    + "language into the name of the file, such as “de” in “Film.de.srt”."
            )
        }
        let records = library.journal.files
        let suffix = String(place.file.name.dropFirst(SubtitleFile.stem(of: film).count))
        try records.setSubtitleChecksum(try SubtitleChecksum(ofFileAt: target), suffix, of: item.id)
        let (kind, _) = try ImportedFile.content(of: directory.mediaFile(film), film)
        try records.setText(directory.text(of: film, kind), of: item.id)
        return Result(item: try library.journal.change(item.id) ?? item, isNew: true)
    }

    /// Checks that the file has subtitles in the format of the name.
    ///
    /// Blocks while parsing the whole file.
    func checkSubtitles(_ format: SubtitleFile.Format) throws(LibraryError) {
        let content = SystemFile.content(of: path, limit: SubtitleLimits().textBytes)
        do throws(MediaError) {
            guard case .whole(let data) = content,
                try !WebVTTDocument(Array(data), format: format).cues.isEmpty
            else { throw MediaError(.notMedia, "The file has no texts.") }
        } catch  where error.code == .tooLarge {
            throw LibraryError(
                .notMedia,
                "\(name.quoted) cannot be shown. \(error.message) Divide it, or add a smaller one.",
                cause: error
            )
        } catch {
            throw LibraryError(
                .notMedia,
                "\(name.quoted) has no subtitles in WebVTT or SubRip. Save it in one of these "
                    + "formats, then add it again.",
                cause: error
            )
        }
    }
}
