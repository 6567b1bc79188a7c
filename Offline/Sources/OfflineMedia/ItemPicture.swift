// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsFiles

/// The picture of an item, created from its cover or from its media file.
package struct ItemPicture: Sendable {
    /// The path of the picture.
    package let path: String

    /// Creates a picture at a path, without a file yet.
    package init(path: String) {
        self.path = path
    }

    /// Creates the picture and replaces an earlier picture.
    ///
    /// - Parameters:
    ///   - media: The path of the media file.
    ///   - properties: The properties of the media, or nil for a file of another kind.
    ///   - cover: The path of the picture that the item's page names, or nil if the page names
    ///     none.
    /// - Returns: Whether a picture was created. Without a picture, the page draws a placeholder.
    package func make(
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
    ///   - duration: The duration in seconds, or nil if the duration is unknown.
    ///   - thumbnailer: The program that reads the frame.
    /// - Throws: `.notMedia` if the file contains no picture.
    package func make(
        of media: String,
        duration: Double?,
        by thumbnailer: Thumbnailer
    ) async throws(MediaError) {
        let seconds = min((duration ?? 0) / 10, 30)
        try await thumbnailer.makePicture(of: media, at: seconds, into: path)
    }
}
