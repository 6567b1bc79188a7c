// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// A source that can record media that may still be growing.
package protocol LiveSource: DescribedSource {
    /// Returns the tracks to record.
    ///
    /// - Parameters:
    ///   - description: The complete response for the item's address.
    ///   - choice: The item's choice.
    ///   - address: The address of the response before redirects.
    /// - Returns: The stream, whose tracks are the same each time the source describes the stream.
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
package struct LiveStream: Hashable, Sendable {
    /// A playlist that the server extends.
    package struct Track: Hashable, Sendable {
        var address: WebAddress
        /// The content that the file keeps of the track.
        package var description = TrackDescription()
        /// The variables of the master playlist that lists the track, or nil without a master
        /// playlist.
        var variables: [String: String]?
    }

    /// The tracks.
    ///
    /// The first track has the pictures.
    package var tracks: [Track]
    /// The omissions and replacements, in sentences for the user.
    package var notes: [String] = []
    /// The title that the playlist states, or nil if the playlist states none.
    package var title: String?
}
