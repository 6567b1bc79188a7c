// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// A source whose media may still be growing, and that can record them.
protocol LiveSource: DescribedSource {
    /// Returns the tracks to record.
    ///
    /// - Parameters:
    ///   - description: The complete response for the item's address.
    ///   - choice: The item's choice.
    ///   - address: The address of the response before redirects.
    /// - Returns: The stream, whose tracks are the same each time it is described.
    /// - Throws: `PlaylistError` for media that cannot be kept.
    func liveStream(
        _ description: SourceDocument,
        _ choice: MediaChoice,
        at address: WebAddress
    ) throws -> LiveStream

    /// Returns the segments that a track has at present.
    ///
    /// - Throws: An error that `DownloadError` accepts.
    func window(
        of track: LiveStream.Track,
        with requests: SourceRequests
    ) async throws -> MediaPlaylist
}

/// A stream to record.
struct LiveStream: Hashable, Sendable {
    /// A playlist that the server extends.
    struct Track: Hashable, Sendable {
        var address: WebAddress
        var description = TrackDescription()
        /// The variables of the master playlist that lists it; nil without one.
        var variables: [String: String]?
    }

    /// The tracks; the first one has the pictures.
    var tracks: [Track]
    /// The omissions and replacements, in sentences for the user.
    var notes: [String] = []
    /// The title that the playlist states; nil without one.
    var title: String?
}
