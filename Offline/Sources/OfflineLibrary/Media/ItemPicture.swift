// SPDX-License-Identifier: Apache-2.0
import TidingsFiles

/// The picture of an item, created from its cover or from its media file.
struct ItemPicture: Sendable {
    /// The path of the picture.
    let path: String

    /// Creates the picture, which replaces an earlier one.
    ///
    /// - Parameters:
    ///   - media: The path of the media file.
    ///   - properties: The properties of the media; nil for a file of another kind.
    ///   - cover: The path of the picture that the item's page names; nil if it names none.
    /// - Returns: Whether a picture was created; without one the page draws a placeholder.
    func make(
        of media: String,
        _ properties: MediaProperties?,
        cover: String? = nil
    ) async -> Bool {
        guard let properties else { return false }
        if let cover, let format = MediaFormats.readingPicture(.jpeg),
            (try? await Thumbnailer()
                .makePicture(of: cover, reading: format, at: 0, into: path)) != nil
        {
            return true
        }
        do {
            try await make(of: media, duration: properties.duration, by: Thumbnailer())
            return true
        } catch {
            _ = try? SystemFile.remove(path)
            return false
        }
    }

    /// Creates the picture from a frame of the media file.
    ///
    /// - Parameters:
    ///   - media: The path of the media file.
    ///   - duration: The duration in seconds; nil if it is unknown.
    ///   - thumbnailer: The program that reads the frame.
    /// - Throws: `.notMedia` if the file contains no picture.
    func make(
        of media: String,
        duration: Double?,
        by thumbnailer: Thumbnailer
    ) async throws(MediaError) {
        let seconds = min((duration ?? 0) / 10, 30)
        try await thumbnailer.makePicture(of: media, at: seconds, into: path)
    }
}
