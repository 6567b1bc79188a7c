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
        let seconds = min((properties.duration ?? 0) / 10, 30)
        do {
            try await Thumbnailer().makePicture(of: media, at: seconds, into: path)
            return true
        } catch {
            _ = try? SystemFile.remove(path)
            return false
        }
    }
}
