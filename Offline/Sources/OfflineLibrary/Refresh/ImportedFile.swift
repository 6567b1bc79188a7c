// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles

/// A file of the library's media folder that belongs to no item, and its content.
struct ImportedFile: Sendable {
    /// The name in the media folder, which the file keeps.
    let name: String
    let size: Int64
    let kind: ContentKind
    /// The properties of media; nil for a file of another kind.
    let properties: MediaProperties?
    /// The text in which a search looks.
    let text: String

    /// Reads a file.
    ///
    /// A file that is named as media must be media, also if its first bytes are those of no known
    /// kind.
    ///
    /// - Parameters:
    ///   - name: The name in the media folder.
    ///   - size: The size in bytes.
    ///   - directory: The folders of the library.
    ///   - hasSubtitles: Whether there may be subtitles beside the file.
    /// - Throws: `.notMedia` for a file that is not what its name says, and `.disk`.
    init(
        _ name: String,
        size: Int64,
        in directory: LibraryDirectory,
        hasSubtitles: Bool = true
    ) async throws(DownloadError) {
        self.name = name
        self.size = size
        do {
            (kind, properties) = try await Self.content(of: directory.mediaFile(name), name)
        } catch {
            throw DownloadError(error)
        }
        // The search for subtitles reads the whole folder.
        text = kind.isMedia && !hasSubtitles ? "" : directory.text(of: name, kind)
    }

    private static func content(
        of path: String,
        _ name: String
    ) async throws -> (ContentKind, MediaProperties?) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DownloadError(.disk, "It cannot be read; check its permissions.")
        }
        let bytes = Array(try handle.read(upToCount: ContentSniffer.prefixLength) ?? Data())
        guard !bytes.isEmpty else {
            throw DownloadError(.notMedia, "It is empty. Copy it again, or delete it.")
        }
        let kind = ContentSniffer.kind(of: bytes)
        let named = ContentKind(mediaFileName: name)
        guard kind.isMedia || named != nil else { return (kind, nil) }
        return (kind.isMedia ? kind : named ?? kind, try await MediaProbe().probe(path))
    }
}
