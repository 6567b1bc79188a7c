// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Tidings
import TidingsFiles

/// The picture that a page names for a film or recording, as a JPEG that this program wrote.
package struct Cover: Sendable {
    /// The size in bytes of the largest picture to read.
    package static let limit = 8 << 20
    private static let maxWidth = 1_280

    /// The path of the JPEG.
    package let path: String

    /// Creates a cover at a path, without a file yet.
    package init(path: String) {
        self.path = path
    }

    /// Converts a server's picture, and writes the JPEG completely or not at all.
    ///
    /// - Throws: `.notMedia` if the bytes are not a picture.
    package func write(_ bytes: [UInt8]) async throws(MediaError) {
        // Only pictures are read, so no feed has to be recognized.
        let kind = ContentSniffer.kind(of: bytes, contentType: nil) { _ in false }
        guard let format = MediaFormats.readingPicture(kind) else {
            throw MediaError(.notMedia, "The picture is in no supported format.")
        }
        let source = path + ".source"
        defer { unlink(source) }
        do {
            try SystemFile.remove(source)
            try SystemFile.create(source, content: Data(bytes))
        } catch {
            throw MediaError(.cannotRead, "The picture cannot be written.", cause: error)
        }
        try await Thumbnailer().makePicture(
            of: source,
            reading: format,
            at: 0,
            into: path,
            maxWidth: Self.maxWidth
        )
    }
}

extension MediaFormats {
    /// The largest picture to decode.
    ///
    /// A larger picture would need too much memory.
    private static let pictureLimits = ["-max_pixels", "64000000"]

    /// Returns the options that restrict ffmpeg to one picture of a kind, or nil for other content.
    static func readingPicture(_ kind: ContentKind) -> [String]? {
        let demuxers: [ContentKind: String] = [
            .jpeg: "jpeg_pipe", .png: "png_pipe", .webp: "webp_pipe", .gif: "gif",
        ]
        guard let demuxer = demuxers[kind] else { return nil }
        return ["-protocol_whitelist", "file", "-format_whitelist", demuxer]
            + pictureLimits + ["-f", demuxer]
    }
}
