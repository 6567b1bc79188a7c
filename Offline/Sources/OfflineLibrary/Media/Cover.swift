// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles

/// The picture that a page names for its film or recording, as a JPEG of this program.
struct Cover: Sendable {
    /// The largest picture to read in bytes.
    static let limit = 8 << 20
    private static let maxWidth = 1_280

    /// The path of the JPEG.
    let path: String

    /// Converts a server's picture and writes the JPEG, complete or not at all.
    ///
    /// - Throws: `.notMedia` if the bytes are no picture.
    func write(_ bytes: [UInt8]) async throws(MediaError) {
        guard let format = MediaFormats.readingPicture(ContentSniffer.kind(of: bytes)) else {
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
    /// The largest picture to decode; a larger one would need too much memory.
    private static let pictureLimits = ["-max_pixels", "64000000"]

    /// Returns the options that restrict ffmpeg to one picture of a kind; nil for other content.
    static func readingPicture(_ kind: ContentKind) -> [String]? {
        let demuxer: String
        switch kind {
        case .jpeg: demuxer = "jpeg_pipe"
        case .png: demuxer = "png_pipe"
        case .webp: demuxer = "webp_pipe"
        case .gif: demuxer = "gif"
        default: return nil
        }
        return ["-protocol_whitelist", "file", "-format_whitelist", demuxer]
            + pictureLimits + ["-f", demuxer]
    }
}
