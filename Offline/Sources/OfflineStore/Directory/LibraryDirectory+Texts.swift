// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineMedia
package import OfflineModel
import TidingsFiles

extension LibraryDirectory {
    /// Returns the text of a text file in the media folder, or of the subtitles beside another
    /// file.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - kind: The kind of the file's content.
    ///   - subtitles: The subtitles beside the file, or nil to find subtitles in the folder.
    /// - Returns: The text, or the beginning of a long text, or an empty string for an unreadable
    ///   file.
    package func text(
        of name: String,
        _ kind: ContentKind,
        beside subtitles: [SubtitleFile]? = nil
    ) -> String {
        let texts =
            if kind == .text { [FileText(path: mediaFile(name)).beginning] } else if kind == .vtt {
                [FileText(path: mediaFile(name)).cues(.webVTT)]
            } else {
                (subtitles ?? subtitleFiles(of: name))
                    .map { FileText(path: mediaFile($0.name)).cues($0.format) }
            }
        // The trimming removes a character that the limit cuts in two.
        let bytes = texts.joined(separator: "\n").utf8.prefix(FileText.limit)
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: ["\u{FFFD}"])
    }
}

/// The text of a file.
private struct FileText {
    /// The number of bytes of an item's text that a search finds.
    static let limit = 64 << 10

    let path: String

    var beginning: String {
        guard let file = try? FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let content = try? file.content(limit: Self.limit)
        else { return "" }
        return String(decoding: content, as: UTF8.self).replacing("\0", with: " ")
    }

    func cues(_ format: SubtitleFile.Format) -> String {
        let content = SystemFile.content(of: path, limit: Int(SubtitleLimits.segmentBytes))
        guard case .whole(let data) = content,
            let document = try? WebVTTDocument(Array(data), format: format)
        else { return "" }
        return document.cues.map(\.text).joined(separator: "\n")
            .replacing(/<[^>]*>/, with: "")
    }
}
