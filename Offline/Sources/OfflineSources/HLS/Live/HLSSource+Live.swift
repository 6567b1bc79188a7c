// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

extension HLSSource: LiveSource {
    /// Returns the tracks to record.
    package func liveStream(
        _ description: SourceDocument,
        _ choice: MediaChoice,
        at address: WebAddress
    ) throws -> LiveStream {
        let playlist = try PlaylistParser.parse(
            description.bytes,
            at: description.head.address,
            acceptsLive: true
        )
        guard case .master(let master) = playlist else {
            if case .media(let media) = playlist, media.isText { throw PlaylistError.liveTexts }
            var track = LiveStream.Track(address: address)
            if choice.quality == .audio { track.description.content = .sound }
            return LiveStream(tracks: [track], notes: choice.notesOnOneQuality)
        }
        guard master.textsAlone.isEmpty else { throw PlaylistError.liveTexts }
        let plan = try RenditionPlan(master, choice)
        return LiveStream(
            tracks: plan.entries.map { entry in
                LiveStream.Track(
                    address: entry.address,
                    description: entry.description,
                    variables: master.variables
                )
            },
            notes: plan.notes,
            title: master.title
        )
    }

    /// Returns the segments that a track has at present.
    package func window(
        of track: LiveStream.Track,
        with requests: SourceRequests
    ) async throws -> MediaPlaylist {
        let other = DownloadError(
            .invalidPlaylist,
            "\(track.address.redacted) is no list of segments at present."
        )
        let response = try await requests.fetch(track.address, for: self, otherwise: other)
        guard
            case .media(let playlist) = try PlaylistParser.parse(
                response.bytes,
                at: response.head.address,
                importing: track.variables,
                acceptsLive: true
            )
        else { throw other }
        guard track.description.content != .subtitles || playlist.maps.isEmpty else {
            throw DownloadError(
                .unsupported,
                "They are in fragments of MP4 instead of WebVTT, which this program does not "
                    + "support yet."
            )
        }
        return playlist
    }
}

extension PlaylistError {
    /// The error for a recording of subtitles without pictures, which would determine the times.
    fileprivate static var liveTexts: PlaylistError {
        PlaylistError(
            .unsupported,
            "This stream is live and lists subtitles (WebVTT) alone, which cannot be recorded. "
                + "Record the stream that names this playlist, or try again when it is over."
        )
    }
}
