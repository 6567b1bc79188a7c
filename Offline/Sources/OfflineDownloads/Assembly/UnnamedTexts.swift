// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP

/// Recognizes a playlist with only subtitles whose segments have names without `.vtt`.
struct UnnamedTexts {
    let environment: DownloadEnvironment
    let id: ItemID
    /// Whether only a part of the stream is kept.
    let isPart: Bool

    /// Returns whether the parts on disk are subtitles in WebVTT.
    ///
    /// - Throws: `.notMedia` if only some of the parts are subtitles, and `.refused` if the parts
    ///   are subtitles and `isPart` is true.
    func areTexts(_ parts: [PartRecord]) throws -> Bool {
        let stored = parts.filter { $0.size != nil }
        let texts = stored.filter(isText)
        guard let text = texts.first else { return false }
        guard texts.count == stored.count, Set(parts.map(\.id.track)).count == 1 else {
            // Another request may return the segment of the film.
            try environment.journal.downloads.clearSizes(of: texts.map(\.id), in: id)
            throw DownloadError(
                .notMedia,
                "\(text.part.address.redacted) is subtitles (WebVTT) in place of a segment of the "
                    + "film. Try again later."
            )
        }
        guard !isPart else { throw DownloadError.partOfTexts }
        return true
    }

    private func isText(_ part: PartRecord) -> Bool {
        let path = environment.directory.part(part.fileName, of: id)
        guard let handle = FileHandle(forReadingAtPath: path),
            let prefix = try? handle.read(upToCount: 16)
        else { return false }
        return ContentSniffer.kind(of: Array(prefix), contentType: nil) == .vtt
    }
}

extension DownloadError {
    /// The refusal to keep a part of subtitles without a film.
    static let partOfTexts = DownloadError(
        .refused,
        "These are subtitles without a film, of which no part can be kept. Leave out --chapters."
    )
}
