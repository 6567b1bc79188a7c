// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles

/// A file of the library's media folder that belongs to no item, and its content.
///
/// Nothing here needs another program: a large folder is listed at once, and ffprobe checks its
/// media later.
struct ImportedFile: Sendable {
    /// A file that a person has sent, and that gets the name of its title.
    struct Sent: Sendable {
        /// The name on the device of the person.
        let name: String
        /// The number by which the file system knows the file.
        let number: Int?
        /// The folders of the library.
        let directory: LibraryDirectory
    }

    /// The name in the media folder, which the file keeps unless a person has sent it.
    let name: String
    /// Nil for a file that was in the folder before.
    let sent: Sent?
    let size: Int64
    let kind: ContentKind
    /// Whether ffprobe must check the content before the item is ready.
    let isMedia: Bool
    /// The text in which a search looks.
    let text: String
    /// The checksums of the subtitles by the ends of their names, of those that can be read.
    let subtitles: [String: SubtitleChecksum]

    /// Reads the beginning of a file and the texts of its subtitles.
    ///
    /// - Parameters:
    ///   - name: The name in the media folder.
    ///   - size: The size in bytes.
    ///   - directory: The folders of the library.
    ///   - subtitles: The subtitles beside the file.
    ///   - sent: The name of a file that a person has sent; nil for any other one.
    /// - Throws: `.notMedia` for a file that is not what its name says, and `.disk`.
    init(
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

    /// Returns the kind of a file by its beginning, and whether it claims to be media.
    ///
    /// A file that is named as media must be media, also if its first bytes are those of no known
    /// kind. ffprobe reads no further than the index, so the boxes show here whether the end of a
    /// film is missing.
    static func content(
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
