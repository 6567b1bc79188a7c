// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineMedia
package import OfflineModel
import OfflineSources
import TidingsFiles

/// A file of the library's media folder that does not belong to an item, with facts about the
/// content.
///
/// Creating this value needs no other program, so that a large folder is listed quickly. ffprobe
/// checks the media later.
package struct ImportedFile: Sendable {
    /// A file that a user has uploaded, and that is named after the title.
    package struct Sent: Sendable {
        /// The name on the device of the user.
        let name: String
        /// The number by which the file system identifies the file.
        let number: Int?
        /// The folders of the library.
        let directory: LibraryDirectory

        /// Creates the description of a sent file.
        package init(name: String, number: Int?, directory: LibraryDirectory) {
            self.name = name
            self.number = number
            self.directory = directory
        }
    }

    /// The name in the media folder.
    ///
    /// Only an uploaded file gets another name.
    package let name: String
    /// The upload, or nil for a file that was in the folder before.
    let sent: Sent?
    /// The size in bytes.
    package let size: Int64
    let kind: ContentKind
    /// Whether ffprobe must check the content before the item is ready.
    let isMedia: Bool
    /// The text for searches.
    let text: String
    /// The checksums of the readable subtitles, by the ends of the file names.
    let subtitles: [String: SubtitleChecksum]

    /// Reads the start of a file and the text of the subtitles.
    ///
    /// - Parameters:
    ///   - name: The name in the media folder.
    ///   - size: The size in bytes.
    ///   - directory: The folders of the library.
    ///   - subtitles: The subtitles beside the file.
    ///   - sent: The details of an uploaded file, or nil for any other file.
    /// - Throws: `.notMedia` for a file whose content does not match the name, and `.disk`.
    package init(
        _ name: String,
        size: Int64,
        in directory: LibraryDirectory,
        beside subtitles: [SubtitleFile] = [],
        sent: Sent? = nil
    ) throws(DownloadError) {
        (self.name, self.sent) = (name, sent)
        self.size = size
        do {
            (kind, isMedia) = try Self.content(of: directory.mediaFile(name), name)
        } catch {
            throw DownloadError(error)
        }
        text = directory.text(of: name, kind, beside: subtitles)
        let stem = SubtitleFile.stem(of: name)
        self.subtitles = subtitles.reduce(into: [:]) { checksums, file in
            let path = directory.mediaFile(file.name)
            let suffix = String(file.name.dropFirst(stem.count))
            checksums[suffix] = try? SubtitleChecksum(ofFileAt: path)
        }
    }

    /// Returns the kind of a file by the first bytes, and whether the file claims to be media.
    ///
    /// A file with the name of a media file must be media, even if the first bytes match no known
    /// kind. ffprobe reads only as far as the index, so this method uses the boxes to check whether
    /// the end of a film is missing.
    package static func content(
        of path: String,
        _ name: String
    ) throws -> (kind: ContentKind, isMedia: Bool) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DownloadError(.disk, "It cannot be read; check its permissions.")
        }
        let bytes = Array(try handle.read(upToCount: ContentSniffer.prefixLength) ?? Data())
        guard !bytes.isEmpty else {
            throw DownloadError(.notMedia, "It is empty. Copy it again, or delete it.")
        }
        let kind = ContentSniffer.kind(of: bytes)
        let named = ContentKind(mediaFileName: name)
        guard kind.isMedia || named != nil else { return (kind, false) }
        guard kind.isMedia || kind == .unknown else {
            throw DownloadError(
                .notMedia,
                "It is not playable media, although its name says so. Give it the right name, or "
                    + "copy it again."
            )
        }
        guard try BoxScan.isWhole(path) != false else {
            throw DownloadError(.notMedia, "Its end is missing. Copy it again, or delete it.")
        }
        return (kind.isMedia ? kind : named ?? kind, true)
    }
}
